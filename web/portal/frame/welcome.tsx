import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { problemOf } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { useTitle } from '../use-title.ts'

/** An invitation, or a forgotten password: name and password, nothing else. The token stays behind the #. */
export function Welcome() {
  const token = window.location.hash.slice(1)
  useTitle('Welcome')
  const { data, error } = useQuery({
    queryKey: ['user-link', token],
    queryFn: async () => (await answerOf(api.POST('/session/link', { params: {}, body: { token } }))).data,
    retry: false,
  })
  return (
    <main className="alone">
      <h1>{data?.purpose === 'password_reset' ? 'A new password' : 'Welcome to Drover'}</h1>
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
      await answerOf(api.POST('/session/password', { params: {}, body }))
      await answerOf(api.POST('/session', { params: {}, body: { email, password } }))
    },
    onSuccess: async () => {
      await queries.resetQueries()
      await navigate({ to: '/' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit} className="fields">
      {asksName && (
        <TextInput
          label="Your name"
          autoComplete="name"
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label="Password"
        description="At least 10 characters"
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
      {error && (
        <p role="alert" className="field-error">
          {problemOf(error).message}
        </p>
      )}
      <button type="submit" className="b ink" disabled={isPending}>
        Begin
      </button>
    </form>
  )
}
