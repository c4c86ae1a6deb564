import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { BrandMark } from '../../shared/brand-mark.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { type Problem, toProblem } from '../../shared/problem.ts'
import { FieldError } from '../field-error.tsx'
import { onSubmit } from '../on-submit.ts'
import type { Session } from '../portal.ts'
import { CodeField } from './code-field.tsx'
import { EmailField, PasswordField } from './credentials.tsx'
import { OpenIdCode, OpenIdLogIn, waitsForOpenIdCode } from './openid.tsx'
import { canUsePasskeys, logInWithPasskey } from './passkey.ts'

/** The hash of the address for a person who has just set a password and must log in with it. */
export const PASSWORD_SET = 'password-set'

/** Without a session: the whole page. */
export function LogIn() {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [forgotten, setForgotten] = useState(false)
  useEffect(() => {
    document.title = 'Log in - Drover'
  }, [])
  if (waitsForOpenIdCode()) return <OpenIdCode />
  if (forgotten) return <Forgotten email={email} back={() => setForgotten(false)} />
  return (
    <main className="alone">
      <h1 className="with-mark">
        <BrandMark height={36} /> Drover
      </h1>
      {window.location.hash === `#${PASSWORD_SET}` && (
        <p role="status">Your password has been set. Log in with it to continue.</p>
      )}
      <LogInForm email={email} setEmail={setEmail} entered={() => queries.resetQueries()}>
        <button type="button" className="b quiet linklike" onClick={() => setForgotten(true)}>
          Forgot your password?
        </button>
      </LogInForm>
      <OpenIdLogIn />
    </main>
  )
}

/** Above a page that stays as it is: the same user continues, another user starts afresh. */
export function LogInAgain({ before }: { before: Session }) {
  const queries = useQueryClient()
  const [email, setEmail] = useState(before.user.email)
  const entered = async () => {
    const { data } = await api.GET('/session')
    const same = data.user.email === before.user.email && data.tenant_id === before.tenant_id
    if (!same) return queries.resetQueries()
    queries.setQueryData(['session'], data)
    // Unsaved edits would move onto another version of the document without a warning.
    return queries.invalidateQueries({
      predicate: ({ queryKey, state }) => queryKey[0] !== 'account-document' || state.data === undefined,
    })
  }
  return (
    <Dialog title="You’ve been logged out.">
      <p className="dim">Log in again to continue. We’ve kept what you typed.</p>
      <LogInForm email={email} setEmail={setEmail} entered={entered} />
      {before.openid?.linked && <OpenIdInNewTab before={before} entered={entered} />}
    </Dialog>
  )
}

type OpenIdInNewTabProps = { before: Session; entered(): Promise<unknown> }

/** A login at the provider would leave this page, and lose what the person typed. */
function OpenIdInNewTab({ before, entered }: OpenIdInNewTabProps) {
  const { mutate, error, isPending } = useMutation({ mutationFn: entered })
  const address = `/portal/log-in?tenant_id=${encodeURIComponent(before.tenant_id ?? '')}`
  return (
    <div className="fields">
      <p>
        Do you use {before.openid?.name}?{' '}
        <a href={address} target="_blank" rel="noreferrer">
          Open the login page in a new tab
        </a>
        , log in there, then come back here and choose Continue.
      </p>
      {error && toProblem(error).status === 401 ? (
        <p role="alert" className="field-error">
          You aren’t logged in yet. Use the new tab to log in first.
        </p>
      ) : (
        <FieldError error={error} />
      )}
      <ActionButton className="b" busy={isPending} onClick={() => mutate()}>
        Continue
      </ActionButton>
    </div>
  )
}

type LogInFormProps = {
  email: string
  setEmail(email: string): void
  entered(): Promise<unknown>
  children?: ReactNode
}

/** Email and password, or a passkey; the input stays after a failure. */
function LogInForm({ email, setEmail, entered, children }: LogInFormProps) {
  const [password, setPassword] = useState('')
  const [account, setAccount] = useState<string | null>(null)
  const [code, setCode] = useState<string | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (chosen: string | null) =>
      api.POST('/session', {
        body: { email, password, ...(chosen && { tenant_id: chosen }), ...(code && { code }) },
      }),
    onSuccess: entered,
    onError: (failed) => {
      if (toProblem(failed).code === 'second_factor_required') setCode('')
    },
  })
  const byPasskey = useMutation({ mutationFn: logInWithPasskey, onSuccess: entered })
  const problem = error ? toProblem(error) : null
  const submit = onSubmit(() => mutate(account))
  return (
    <form onSubmit={submit} className="fields">
      <EmailField value={email} onChange={setEmail} />
      <PasswordField value={password} onChange={setPassword} />
      {problem?.code === 'account_required' && (
        <TextInput
          label="Account"
          description={`You can log in to several accounts. Enter the ID of one: ${formatAccounts(problem)}.`}
          value={account ?? ''}
          onChange={(event) => setAccount(event.currentTarget.value || null)}
        />
      )}
      {code !== null && (
        <CodeField
          value={code}
          onChange={setCode}
          label="Code from your authenticator app, or a recovery code"
        />
      )}
      {problem?.code !== 'account_required' && problem?.code !== 'second_factor_required' && (
        <FieldError error={error} />
      )}
      <ActionButton type="submit" className="b ink" busy={isPending}>
        Log in
      </ActionButton>
      {canUsePasskeys() && (
        <>
          <ActionButton className="b" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            Use a passkey
          </ActionButton>
          <FieldError error={byPasskey.error} />
        </>
      )}
      {children}
    </form>
  )
}

/** `demo for Demo Shop, acme for Acme`: the accounts that the person can log in to. */
function formatAccounts({ body }: Problem): string {
  const accounts = (body.accounts ?? []) as readonly { tenant_id: string; name: string }[]
  return accounts.map(({ tenant_id, name }) => `${tenant_id} for ${name}`).join(', ')
}

function Forgotten({ email: known, back }: { email: string; back(): void }) {
  const [email, setEmail] = useState(known)
  const { mutate, error, isSuccess, isPending } = useMutation({
    mutationFn: () => api.POST('/session/forgotten', { body: { email } }),
  })
  const submit = onSubmit(() => mutate())
  return (
    <main className="alone">
      <h1>Reset your password</h1>
      {isSuccess ? (
        <p role="status">
          If there’s a login for {email}, we’ve emailed a link to that address. The link works once and
          expires after an hour.
        </p>
      ) : (
        <form onSubmit={submit} className="fields">
          <EmailField value={email} onChange={setEmail} />
          <FieldError error={error} />
          <ActionButton type="submit" className="b ink" busy={isPending}>
            Send me a link
          </ActionButton>
        </form>
      )}
      <button type="button" className="b quiet linklike" onClick={back}>
        Back to login
      </button>
    </main>
  )
}
