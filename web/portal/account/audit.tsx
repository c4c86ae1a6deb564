import type { AuditAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'

type AuditEntry = AuditAnswer['data'][number]

const KINDS: Readonly<Record<AuditEntry['actor']['kind'], string>> = {
  client: 'API client',
  user: 'user',
  operator: 'operator',
  driver: 'courier',
  link: 'booking link',
  command: 'command line',
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { word: 'When', cell: ({ at }) => <Timestamp at={at} /> },
  {
    word: 'Who',
    cell: ({ actor, ip }) => (
      <>
        <b>{actor.name ?? actor.id}</b>
        <span className="dim">, {KINDS[actor.kind]}</span>
        {ip && <span className="dim">, {ip}</span>}
      </>
    ),
  },
  { word: 'Action', cell: ({ action }) => textFor(action) },
  { word: 'Item', look: 'mono', cell: ({ object }) => object },
  {
    word: 'Before → after',
    look: 'said',
    cell: ({ before, after }) =>
      (before || after) && (
        <>
          {before && <span className="was">{shown(before)}</span>} {after && shown(after)}
        </>
      ),
  },
]

/** Who changed what; the audit log itself never changes. */
export function Audit() {
  const { tenantId, store } = usePortal()
  useTitle('Audit log')
  const path = { tenant_id: tenantId }
  return (
    <>
      <div className="head">
        <h1>Audit log</h1>
        <span className="dim">
          Every change, and who made it.
          {store.account_mode === 'sandbox' && ' The sandbox clock doesn’t affect these times.'}
        </span>
      </div>
      <Paged
        queryKey={['audit', tenantId]}
        read={(after) =>
          api.GET('/{tenant_id}/audit-log', { params: { path, query: after ? { after } : {} } })
        }
        empty={<h2>No changes yet.</h2>}
      >
        {(entries) => <ListTable label="Audit log" rows={entries} keyOf={({ id }) => id} columns={COLUMNS} />}
      </Paged>
    </>
  )
}

/** `amendDelivery` is "Amend delivery". */
function textFor(operation: string): string {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** `role: store_clerk; store references: fitzroy, geelong`. */
function shown(state: Record<string, unknown>): string {
  return Object.entries(state)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${formatState(value)}`)
    .join('; ')
}

function formatState(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (Array.isArray(value)) return value.map(formatState).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
