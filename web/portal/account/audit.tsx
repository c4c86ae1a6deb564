import type { AuditAnswer } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { type Column, ListTable } from '../list-table.tsx'
import { Paged } from '../paged.tsx'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'
import { useTitle } from '../use-title.ts'

type AuditEntry = AuditAnswer['data'][number]

const COLUMNS: readonly Column<AuditEntry>[] = [
  { word: 'When', cell: ({ at }) => <Timestamp at={at} /> },
  {
    word: 'Who',
    cell: ({ actor, ip }) => (
      <>
        <b>{actor.name ?? actor.id}</b> <span className="dim">{actor.kind.replaceAll('_', ' ')}</span>
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
  const { tenantId } = usePortal()
  useTitle('Audit log')
  const path = { tenant_id: tenantId }
  return (
    <>
      <div className="head">
        <h1>Audit log</h1>
        <span className="dim">
          Every change and who made it. These are actual times, not times on the test clock.
        </span>
      </div>
      <Paged
        queryKey={['audit', tenantId]}
        read={(after) =>
          answerOf(api.GET('/{tenant_id}/audit-log', { params: { path, query: after ? { after } : {} } }))
        }
        empty={<h2>No changes yet.</h2>}
      >
        {(entries) => <ListTable label="Audit log" rows={entries} keyOf={({ id }) => id} columns={COLUMNS} />}
      </Paged>
    </>
  )
}

/** `amendDelivery` is "amend delivery". */
function textFor(operation: string): string {
  return operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function shown(state: Record<string, unknown>): string {
  return Object.entries(state)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ')
}
