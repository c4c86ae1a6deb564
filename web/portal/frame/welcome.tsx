import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { FieldError } from '../field-error.tsx'
import { sentByButton } from '../on-submit.ts'
import { useTitle } from '../use-title.ts'
import { PasswordField } from './credentials.tsx'
import { PASSWORD_SET } from './log-in.tsx'

/** For an invitation or a forgotten password: name and password. The token stays behind the #. */
export function Welcome() {
  const token = window.location.hash.slice(1)
  useTitle('Welcome')
  const { data, error } = useQuery({
    queryKey: ['user-link', token],
    queryFn: async () => (await api.POST('/session/link', { body: { token } })).data,
    retry: false,
  })
  return (
    <main className="alone">
      <h1>{data?.purpose === 'password_reset' ? 'Set a new password' : 'Welcome to Drover'}</h1>
      {error ? <ProblemView error={error} /> : !data && <Loading />}
      {data && (
        <>
          <p className="dim">
            {data.account_name ? `${data.account_name}, ` : ''}
            {data.email}
          </p>
          <SetPassword token={token} asksName={data.purpose === 'invitation'} email={data.email} />
        </>
      )}
    </main>
  )
}

function SetPassword({ token, asksName, email }: { token: string; asksName: boolean; email: string }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = { token, password, ...(asksName && { name }) }
      await api.POST('/session/password', { body })
      // The link works once. A person who cannot be logged in here, for example because of their second factor, logs
      // in on the login page.
      return api.POST('/session', { body: { email, password } }).then(
        () => true,
        () => false,
      )
    },
    onSuccess: async (isLoggedIn) => {
      await queries.resetQueries()
      await navigate(isLoggedIn ? { to: '/' } : { to: '/today', hash: PASSWORD_SET })
    },
  })
  const sending = sentByButton(() => mutate())
  return (
    <form {...sending} className="fields">
      {asksName && (
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <PasswordField fresh value={password} onChange={setPassword} />
      <FieldError error={error} />
      <ActionButton type="submit" className="b ink" busy={isPending}>
        {asksName ? 'Get started' : 'Set password'}
      </ActionButton>
    </form>
  )
}
