import { Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { SCOPES, type Scope } from '../../../src/domain/people/scopes.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { problemOf } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { momentWords } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { Wide } from '../wide.tsx'
import { AskFirst } from './ask-first.tsx'
import { SecretOnce } from './secret-once.tsx'

/** What each scope lets a client do. */
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'deliveries:read': 'read deliveries',
  'deliveries:write': 'make and change deliveries',
  quotes: 'ask for quotes',
  manifests: 'manifest',
  links: 'make links',
  webhooks: 'look after webhooks',
  account: 'look after people and settings',
}

/** Programs that use the API, and what each may do. */
export function Clients() {
  const { tenantId, store, nowMs } = usePortal()
  useTitle('API clients')
  const queries = useQueryClient()
  const [secret, setSecret] = useState<readonly [string, string][] | null>(null)
  const [revoking, setRevoking] = useState<{ client_id: string; name: string } | null>(null)
  const key = ['clients', tenantId]
  const path = { tenant_id: tenantId }
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async () =>
      (await answerOf(api.GET('/admin/accounts/{tenant_id}/clients', { params: { path } }))).data,
  })
  return (
    <>
      <div className="head">
        <h1>API clients</h1>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <Wide label="API clients">
          <table className="list-table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Id</th>
                <th scope="col">May</th>
                <th scope="col">Stores</th>
                <th scope="col">Made</th>
                <th scope="col">
                  <span className="vh">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((client) => (
                <tr key={client.client_id}>
                  <td>
                    <b>{client.name}</b>
                  </td>
                  <td className="mono">{client.client_id}</td>
                  <td>{client.scopes.map((scope) => SCOPE_WORDS[scope]).join(', ')}</td>
                  <td>{client.store_references?.join(', ') ?? 'All'}</td>
                  <td>{momentWords(Date.parse(client.created_at), store.time_zone, nowMs())}</td>
                  <td>
                    <button
                      type="button"
                      className="b s no"
                      aria-label={`Revoke ${client.name}`}
                      onClick={() => setRevoking(client)}
                    >
                      Revoke
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <AddClient show={setSecret} />
      {secret && <SecretOnce title="The new client" lines={secret} onClose={() => setSecret(null)} />}
      {revoking && (
        <AskFirst
          title={`Revoke ${revoking.name}?`}
          yes="Revoke it"
          onClose={() => setRevoking(null)}
          work={async () => {
            await answerOf(
              api.DELETE('/admin/accounts/{tenant_id}/clients/{client_id}', {
                params: { path: { ...path, client_id: revoking.client_id } },
              }),
            )
            await queries.invalidateQueries({ queryKey: key })
          }}
        >
          Whatever uses it gets no answer any more, within a minute. It cannot be brought back.
        </AskFirst>
      )}
    </>
  )
}

function AddClient({ show }: { show(lines: readonly [string, string][]): void }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(
    new Set(['deliveries:read', 'deliveries:write', 'quotes']),
  )
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = { name, scopes: [...scopes] }
      const params = { path: { tenant_id: tenantId } }
      return (await answerOf(api.POST('/admin/accounts/{tenant_id}/clients', { params, body }))).data
    },
    onSuccess: ({ client_id, client_secret }) => {
      show([
        ['Id', client_id],
        ['Secret', client_secret],
      ])
      setName('')
      return queries.invalidateQueries({ queryKey: ['clients', tenantId] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  const toggle = (scope: Scope) =>
    setScopes((before) => {
      const after = new Set(before)
      if (!after.delete(scope)) after.add(scope)
      return after
    })
  return (
    <section className="sheet pad below" aria-labelledby="add-client">
      <h2 id="add-client">One more</h2>
      <form onSubmit={submit} className="fields narrow">
        <TextInput
          label="Name"
          description="What uses it, e.g. Web shop"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <fieldset className="checks">
          <legend className="field-label">It may</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={SCOPE_WORDS[scope]}
              checked={scopes.has(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </fieldset>
        {error && (
          <p role="alert" className="field-error">
            {problemOf(error).message}
          </p>
        )}
        <button type="submit" className="b ink" disabled={isPending || scopes.size === 0}>
          Make it
        </button>
      </form>
    </section>
  )
}
