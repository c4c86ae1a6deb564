import { Checkbox, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ACCOUNT_ROLES } from '../../../src/domain/people/user.ts'
import type { User } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { problemOf } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'

type AccountRole = (typeof ACCOUNT_ROLES)[number]

const ROLE_WORDS: Readonly<Record<User['role'], string>> = {
  operator: 'Operator',
  merchant_admin: 'Admin: everything in the account',
  store_clerk: 'Clerk: the day’s work in some stores',
}

/** Who may enter, as what, and where. */
export function Users() {
  const { tenantId } = usePortal()
  useTitle('People')
  const { data, error, refetch } = useQuery({
    queryKey: ['users', tenantId],
    queryFn: async () =>
      (await answerOf(api.GET('/{tenant_id}/users', { params: { path: { tenant_id: tenantId } } }))).data,
  })
  return (
    <>
      <div className="head">
        <h1>People</h1>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <Wide label="People">
          <table className="list-table">
            <thead>
              <tr>
                <th scope="col">Who</th>
                <th scope="col">Role</th>
                <th scope="col">Stores</th>
                <th scope="col">Last here</th>
                <th scope="col">
                  <span className="vh">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((user) => (
                <Line key={user.id} user={user} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <Invite />
    </>
  )
}

function Line({ user }: { user: User }) {
  const { tenantId, store, nowMs, session } = usePortal()
  const queries = useQueryClient()
  const params = { path: { tenant_id: tenantId, user_id: user.id } }
  const change = useMutation({
    mutationFn: async (what: 'disable' | 'enable' | 'invite' | 'reset') => {
      if (what === 'invite') return answerOf(api.POST('/{tenant_id}/users/{user_id}/invite', { params }))
      if (what === 'reset')
        return answerOf(api.POST('/{tenant_id}/users/{user_id}/reset-password', { params }))
      return answerOf(
        api.PATCH('/{tenant_id}/users/{user_id}', { params, body: { disabled: what === 'disable' } }),
      )
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['users', tenantId] }),
  })
  const { name, email, role, status, store_references, last_login_at } = user
  const mine = user.id === session.user.id
  const act = (what: Parameters<typeof change.mutate>[0], word: string) => (
    <button
      type="button"
      className="b s"
      disabled={change.isPending}
      aria-label={`${word}: ${email}`}
      onClick={() => change.mutate(what)}
    >
      {word}
    </button>
  )
  return (
    <tr>
      <td>
        <b>{name ?? 'Invited'}</b>
        <br />
        <span className="dim">{email}</span>
        {status === 'disabled' && <span className="dim">, disabled</span>}
      </td>
      <td>{ROLE_WORDS[role]}</td>
      <td>{store_references?.join(', ') ?? 'All'}</td>
      <td>{last_login_at ? momentWords(Date.parse(last_login_at), store.time_zone, nowMs()) : 'Not yet'}</td>
      <td>
        <div className="row-of-buttons tight">
          {status === 'invited' && act('invite', 'Invite again')}
          {status === 'active' && act('reset', 'Send a new password')}
          {status === 'active' && !mine && act('disable', 'Disable')}
          {status === 'disabled' && act('enable', 'Let in again')}
        </div>
        {change.error && (
          <p role="alert" className="field-error">
            {problemOf(change.error).message}
          </p>
        )}
        {change.isSuccess && change.variables !== 'disable' && change.variables !== 'enable' && (
          <p role="status" className="dim">
            An e-mail is on its way.
          </p>
        )}
      </td>
    </tr>
  )
}

function Invite() {
  const { tenantId, stores } = usePortal()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<AccountRole>('store_clerk')
  const [where, setWhere] = useState<ReadonlySet<string>>(new Set())
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = {
        email: email.trim(),
        role,
        ...(role === 'store_clerk' && { store_references: [...where] }),
      }
      return (
        await answerOf(api.POST('/{tenant_id}/users', { params: { path: { tenant_id: tenantId } }, body }))
      ).data
    },
    onSuccess: () => {
      setEmail('')
      return queries.invalidateQueries({ queryKey: ['users', tenantId] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  const toggle = (reference: string) =>
    setWhere((before) => {
      const after = new Set(before)
      if (!after.delete(reference)) after.add(reference)
      return after
    })
  return (
    <section className="sheet pad below" aria-labelledby="invite">
      <h2 id="invite">Invite somebody</h2>
      <form onSubmit={submit} className="fields narrow">
        <TextInput
          label="E-mail"
          type="email"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Select
          label="Role"
          value={role}
          onChange={(value) => value && setRole(value as AccountRole)}
          data={ACCOUNT_ROLES.map((one) => ({ value: one, label: ROLE_WORDS[one] }))}
        />
        {role === 'store_clerk' && (
          <fieldset className="checks">
            <legend className="field-label">Stores</legend>
            {stores.map(({ reference, name }) => (
              <Checkbox
                key={reference}
                label={name}
                checked={where.has(reference)}
                onChange={() => toggle(reference)}
              />
            ))}
          </fieldset>
        )}
        {error && (
          <p role="alert" className="field-error">
            {problemOf(error).message}
          </p>
        )}
        {data && (
          <p role="status">
            {data.email} is invited by e-mail. The address works once, for 7 days:{' '}
            <span className="mono wrap">{data.invitation_url}</span>
          </p>
        )}
        <button
          type="submit"
          className="b ink"
          disabled={isPending || (role === 'store_clerk' && where.size === 0)}
        >
          Invite
        </button>
      </form>
    </section>
  )
}
