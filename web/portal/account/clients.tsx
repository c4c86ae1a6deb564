import { Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SCOPES, type Scope } from '../../../src/domain/people/scopes.ts'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import type { ClientsAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { fromNow } from '../../shared/page-times.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { isRejection, newIdempotencyKey } from '../idempotency-key.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useOwnCredentials } from './own-credentials.tsx'
import { SecretOnce } from './secret-once.tsx'
import { StoreNames } from './store-names.tsx'

/** The rights of each scope. */
const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  'deliveries:read': 'Read deliveries',
  'deliveries:write': 'Create and change deliveries',
  quotes: 'Get quotes',
  manifests: 'Create manifests',
  links: 'Create booking links',
  webhooks: 'Manage webhooks',
  account: 'Manage people and settings',
  'driver_codes:read': 'Read drivers’ login codes in the sandbox',
}

type Client = ClientsAnswer['data'][number]

/** Programs that use the API, and their rights. */
export function Clients() {
  const { tenantId, session } = usePortal()
  useTitle('API clients')
  const [secret, setSecret] = useState<readonly [string, string][] | null>(null)
  const [takingOver, setTakingOver] = useState<Client | null>(null)
  const [revoking, setRevoking] = useState<Client | null>(null)
  const key = ['clients', tenantId]
  const path = { tenant_id: tenantId }
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => (await api.GET('/admin/accounts/{tenant_id}/clients', { params: { path } })).data,
    refetchInterval: 60_000,
  })
  const columns: Column<Client>[] = [
    { word: 'Name', cell: ({ name }) => <b>{name}</b> },
    { word: 'Client ID', look: 'mono', cell: ({ client_id }) => client_id },
    {
      word: 'Permissions',
      look: 'said',
      cell: ({ scopes }) => formatScopes(scopes),
    },
    { word: 'Stores', cell: ({ store_references }) => <StoreNames of={store_references} /> },
    { word: 'Owner', cell: ({ owner }) => owner?.name ?? 'Operator' },
    { word: 'Created', cell: ({ created_at }) => <Timestamp at={created_at} /> },
    { word: 'Last used', cell: ({ last_used_at }) => <LastUsed at={last_used_at} /> },
    {
      word: 'Spent through MCP today',
      look: 'num',
      cell: ({ mcp_spent_today_cents: cents }) => formatDollars(cents),
    },
    {
      word: null,
      cell: (client) => (
        <div className="row-of-buttons tight">
          {client.owner && client.owner.id !== session.user.id && (
            <button
              type="button"
              className="b s"
              aria-label={`Take over ${client.name}`}
              onClick={() => setTakingOver(client)}
            >
              Take over
            </button>
          )}
          <button
            type="button"
            className="b s no"
            aria-label={`Revoke ${client.name}`}
            onClick={() => setRevoking(client)}
          >
            Revoke
          </button>
        </div>
      ),
    },
  ]
  return (
    <>
      <div className="head">
        <h1>API clients</h1>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <ListTable label="API clients" rows={data} keyOf={({ client_id }) => client_id} columns={columns} />
      )}
      <AddClient show={setSecret} />
      {secret && <SecretOnce title="New API client" lines={secret} onClose={() => setSecret(null)} />}
      {takingOver && (
        <ConfirmDialog
          title={`Take over ${takingOver.name}?`}
          confirmLabel="Take it over"
          onClose={() => setTakingOver(null)}
          stale={key}
          work={(body) =>
            api.POST('/admin/accounts/{tenant_id}/clients/{client_id}/take-over', {
              params: { path: { ...path, client_id: takingOver.client_id } },
              body,
            })
          }
        >
          You’ll own this client, so it will keep working if {takingOver.owner?.name} leaves. Its secret will
          stay the same. If you don’t want {takingOver.owner?.name} to know the secret, create a new client
          instead.
        </ConfirmDialog>
      )}
      {revoking && (
        <ConfirmAction
          title={`Revoke ${revoking.name}?`}
          confirmLabel="Revoke it"
          onClose={() => setRevoking(null)}
          stale={key}
          work={() =>
            api.DELETE('/admin/accounts/{tenant_id}/clients/{client_id}', {
              params: { path: { ...path, client_id: revoking.client_id } },
            })
          }
        >
          Programs that use this client will stop working within a minute. You can’t undo this.
        </ConfirmAction>
      )}
    </>
  )
}

/** `Read deliveries, get quotes`. */
function formatScopes(scopes: readonly Scope[]): string {
  const [first, ...rest] = scopes.map((scope) => SCOPE_TEXTS[scope])
  return [first, ...rest.map((text) => text.charAt(0).toLowerCase() + text.slice(1))].join(', ')
}

/** Uses the wall clock, like tokens; an account's test clock may differ. */
function LastUsed({ at }: { at: string | undefined }) {
  useMinute()
  if (at === undefined) return 'Not yet'
  const ago = fromNow(at, Math.max(Date.now(), Date.parse(at)))
  return (
    <>
      <Timestamp at={at} />
      {ago && <span className="dim">, {ago === 'now' ? 'just now' : ago}</span>}
    </>
  )
}

function AddClient({ show }: { show(lines: readonly [string, string][]): void }) {
  const { tenantId, stores } = usePortal()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(
    new Set(['deliveries:read', 'deliveries:write', 'quotes']),
  )
  const [where, setWhere] = useState<ReadonlySet<string>>(new Set())
  const own = useOwnCredentials()
  const [key, setKey] = useState(newIdempotencyKey)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = {
        name,
        // In the order of the page: the order of the clicks would make it another request under the same key.
        scopes: SCOPES.filter((scope) => scopes.has(scope)),
        ...(where.size > 0 && {
          store_references: stores.flatMap(({ reference }) => (where.has(reference) ? [reference] : [])),
        }),
        ...own.typed,
      }
      const params = { path: { tenant_id: tenantId } }
      return (await api.POST('/admin/accounts/{tenant_id}/clients', { params, body, idempotencyKey: key }))
        .data
    },
    onSettled: (_, error) => {
      if (!error || isRejection(error)) setKey(newIdempotencyKey())
      // After an error too: the client may exist although the response was lost.
      void queries.invalidateQueries({ queryKey: ['clients', tenantId] })
    },
    onSuccess: ({ client_id, client_secret }) => {
      show([
        ['Client ID', client_id],
        ['Client secret', client_secret],
      ])
      setName('')
      setWhere(new Set())
      own.clear()
    },
  })
  const sending = sentByButton(() => mutate())
  return (
    <section className="sheet pad below" aria-labelledby="add-client">
      <h2 id="add-client">Add an API client</h2>
      <form {...sending} className="fields narrow">
        <TextInput
          label="Name"
          description="The name of the program that will use the client, such as “Online shop”"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <fieldset className="checks">
          <legend className="field-label">Permissions</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={SCOPE_TEXTS[scope]}
              checked={scopes.has(scope)}
              onChange={() => setScopes(toggled(scopes, scope))}
            />
          ))}
        </fieldset>
        <fieldset className="checks">
          <legend className="field-label">Stores (to allow every store, don’t tick any)</legend>
          {stores.map((store) => (
            <Checkbox
              key={store.reference}
              label={store.name}
              checked={where.has(store.reference)}
              onChange={() => setWhere(toggled(where, store.reference))}
            />
          ))}
        </fieldset>
        {own.fields}
        <FieldError error={error} />
        <ActionButton
          type="submit"
          className="b ink"
          busy={isPending}
          disabledReason={scopes.size === 0 && 'Choose at least one permission.'}
        >
          Create client
        </ActionButton>
      </form>
    </section>
  )
}

function toggled<T>(before: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const after = new Set(before)
  if (!after.delete(one)) after.add(one)
  return after
}
