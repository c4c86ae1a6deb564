import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { CodeField } from './code-field.tsx'
import { PasswordField } from './credentials.tsx'

/** Why the provider's answer did not log anybody in; `name` is the provider. */
const PROBLEMS: Readonly<Record<string, (name: string) => string>> = {
  openid_not_linked: (name) =>
    `Your ${name} login isn’t linked to Drover yet. Log in with your password, then link it under Your account.`,
  openid_failed: (name) =>
    `We couldn’t log you in with ${name}. Try again in a minute, or use your password.`,
  openid_expired: () => 'That login took too long or has already been used. Try again.',
  openid_cancelled: (name) => `You cancelled the login at ${name}. Try again, or use your password.`,
  openid_taken: (name) =>
    `The ${name} account that you used is already linked to someone else. Log in to ${name} with your own account, then try again.`,
  openid_rate_limited: () => 'Too many attempts. Try again in 15 minutes.',
}

/** In the address after the provider's answer, or in a link that a merchant sends to their people. */
function readAddress(): { problem: string | null; tenantId: string | null; asksCode: boolean } {
  const search = new URLSearchParams(window.location.search)
  return {
    problem: search.get('problem'),
    tenantId: search.get('tenant_id'),
    asksCode: search.get('openid') === 'code',
  }
}

export function waitsForOpenIdCode(): boolean {
  return readAddress().asksCode
}

function ProblemOfOpenId({ name }: { name: string }) {
  const sentence = PROBLEMS[readAddress().problem ?? '']
  return sentence ? <p role="alert">{sentence(name)}</p> : null
}

/** On the login page, if the account in the address, or the one used last in this browser, has a provider. */
export function OpenIdLogIn() {
  const tenantId = readAddress().tenantId ?? readSetting('openid-account')
  const { data: provider } = useQuery({
    queryKey: ['openid', tenantId],
    queryFn: async () => {
      const params = { query: { tenant_id: tenantId ?? '' } }
      return (await api.GET('/session/openid', { params })).data.provider
    },
    enabled: tenantId !== null,
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const page = returnTo()
      const body = {
        tenant_id: tenantId ?? '',
        purpose: 'log_in' as const,
        ...(page === null ? {} : { return_to: page }),
      }
      return (await api.POST('/session/openid', { body })).data
    },
    onSuccess: ({ url }) => window.location.assign(url),
  })
  // Without the cookie we don't know whose login it was.
  if (!provider) return <ProblemOfOpenId name="your provider" />
  return (
    <div className="fields">
      <ProblemOfOpenId name={provider.name} />
      <ActionButton type="button" className="b" busy={isPending} onClick={() => mutate()}>
        Log in with {provider.name}
      </ActionButton>
      <FieldError error={error} />
    </div>
  )
}

/** The page that the person wanted to see; null: their first page. */
function returnTo(): string | null {
  const { pathname, search } = window.location
  const page = `${pathname}${search}`
  return pathname.startsWith('/portal/log-in') || !/^\/portal[A-Za-z0-9/?&=._~%+-]*$/.test(page) ? null : page
}

/** In place of the login for a person whose provider asked for one factor only. */
export function OpenIdCode() {
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => (await api.POST('/session/openid/complete', { body: { code } })).data,
    onSuccess: ({ return_to }) => window.location.assign(return_to),
  })
  const { tenantId } = readAddress()
  return (
    <main className="alone">
      <h1>One more step</h1>
      <form onSubmit={onSubmit(() => mutate())} className="fields">
        <CodeField
          value={code}
          onChange={setCode}
          label="Code from your authenticator app, or a recovery code"
        />
        <FieldError error={error} />
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Log in
        </ActionButton>
      </form>
      <a href={`/portal/log-in${tenantId === null ? '' : `?tenant_id=${encodeURIComponent(tenantId)}`}`}>
        Back to login
      </a>
    </main>
  )
}

/** In "Your account", if the account has a provider. */
export function OpenIdLink() {
  const { session, tenantId } = usePortal()
  const [changing, setChanging] = useState(false)
  const { openid } = session
  useEffect(() => {
    if (openid?.linked) saveSetting('openid-account', tenantId)
  }, [openid, tenantId])
  if (!openid) return null
  const { name, linked } = openid
  return (
    <section className="sheet pad below" aria-labelledby="openid">
      <h2 id="openid">{name}</h2>
      <p>
        {linked
          ? `You can log in with ${name}. Your password still works.`
          : `Link your ${name} login so that you don’t need a password to use Drover.`}
      </p>
      <ProblemOfOpenId name={name} />
      <div className="row-of-buttons">
        <button type="button" className="b" onClick={() => setChanging(true)}>
          {linked ? `Unlink ${name}` : `Link ${name}`}
        </button>
      </div>
      {changing && <Change name={name} linked={linked} close={() => setChanging(false)} />}
    </section>
  )
}

function Change({ name, linked, close }: { name: string; linked: boolean; close(): void }) {
  const { session, tenantId } = usePortal()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const factor = session.second_factor
  const credentials = { password, ...(factor.active && { code }) }
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if (linked) {
        await api.POST('/session/openid/unlink', { body: credentials })
        return null
      }
      const body = { tenant_id: tenantId, purpose: 'link' as const, ...credentials }
      return (await api.POST('/session/openid', { body })).data.url
    },
    onSuccess: (url) => {
      if (url !== null) return window.location.assign(url)
      saveSetting('openid-account', null)
      close()
      return queries.invalidateQueries()
    },
  })
  const problems = fieldProblems(error, ['password', ...(factor.active ? ['code'] : [])])
  const title = linked ? `Unlink ${name}` : `Link ${name}`
  return (
    <Dialog title={title} onClose={close}>
      <p className="dim">
        {linked
          ? `Once you unlink ${name}, you’ll log in with your password. You’ll also be logged out everywhere else.`
          : `We’ll take you to ${name}. Log in there, and we’ll bring you back here.`}
      </p>
      <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
        <PasswordField value={password} onChange={setPassword} error={problems.at('password')} />
        {factor.active && (
          <CodeField
            value={code}
            onChange={setCode}
            label="Code from your authenticator app, or a recovery code"
            error={problems.at('code')}
          />
        )}
        <FieldError error={problems.rest} />
        <div className="row-of-buttons">
          <ActionButton type="submit" className="b ink" busy={isPending}>
            {title}
          </ActionButton>
          <button type="button" className="b" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
