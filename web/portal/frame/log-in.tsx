import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { answerOf, api } from '../../shared/api.ts'
import { BrandMark } from '../../shared/brand-mark.tsx'
import { problemOf } from '../../shared/problem.ts'

/** E-mail and password; what is typed stays when it was wrong. */
export function LogIn() {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [account, setAccount] = useState<string | null>(null)
  const [forgotten, setForgotten] = useState(false)
  useEffect(() => {
    document.title = 'Log in - Drover'
  }, [])
  const { mutate, error, isPending } = useMutation({
    mutationFn: (chosen: string | null) =>
      answerOf(
        api.POST('/session', { params: {}, body: { email, password, ...(chosen && { tenant_id: chosen }) } }),
      ),
    onSuccess: () => queries.resetQueries(),
  })
  const problem = error ? problemOf(error) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(account)
  }
  if (forgotten) return <Forgotten email={email} back={() => setForgotten(false)} />
  return (
    <main className="alone">
      <h1 className="with-mark">
        <BrandMark height={36} /> Drover
      </h1>
      <form onSubmit={submit} className="fields">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
        {problem?.code === 'choose_account' && (
          <TextInput
            label="Account"
            description={problem.message}
            value={account ?? ''}
            onChange={(event) => setAccount(event.currentTarget.value || null)}
          />
        )}
        {problem && problem.code !== 'choose_account' && (
          <p role="alert" className="field-error">
            {problem.message}
          </p>
        )}
        <button type="submit" className="b ink" disabled={isPending}>
          Log in
        </button>
        <button type="button" className="b quiet linklike" onClick={() => setForgotten(true)}>
          Forgot it?
        </button>
      </form>
    </main>
  )
}

function Forgotten({ email: known, back }: { email: string; back(): void }) {
  const [email, setEmail] = useState(known)
  const { mutate, error, isSuccess, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/session/forgotten', { params: {}, body: { email } })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <main className="alone">
      <h1>A new password</h1>
      {isSuccess ? (
        <p role="status">
          If somebody may enter with {email}, an e-mail is on its way. Its link is good for an hour.
        </p>
      ) : (
        <form onSubmit={submit} className="fields">
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {error && (
            <p role="alert" className="field-error">
              {problemOf(error).message}
            </p>
          )}
          <button type="submit" className="b ink" disabled={isPending}>
            Send me a link
          </button>
        </form>
      )}
      <button type="button" className="b quiet linklike" onClick={back}>
        Back to the log-in
      </button>
    </main>
  )
}
