import { type Db, instant } from '../db/db.ts'
import { KEY_LOCK_SECONDS, type NewDelivery } from '../deliveries/create-deliveries.ts'
import { toSearchText } from '../deliveries/search-deliveries.ts'

/**
 * `createDeliveries` on Citus, for deliveries whose accounts are on one node: a call of the function
 * `create_deliveries`, which Citus sends there whole. Citus would run each insert of the other form by itself, through
 * the coordinator. Returns the ids that were created; a taken key fails the whole call with 23505.
 */
export async function createOnNode(db: Db, made: readonly NewDelivery[]): Promise<Set<string>> {
  // Everybody in one order: of two calls with the same references one waits, and never both.
  const ordered = made
    .map((delivery) => ({
      delivery,
      place: [delivery.account_id, delivery.reference, delivery.store_id].join('\0'),
    }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ delivery }) => delivery)
  const [first] = ordered
  if (!first) return new Set()
  const positions = await takePositions(db, EVENTS_EACH * ordered.length)
  const given = ordered.map((delivery, index) => {
    const [created_position, requested_position] = positions.slice(EVENTS_EACH * index)
    return { ...toRow(delivery), created_position, requested_position }
  })
  const { rows } = await db.query<{ created: string[] }>({
    name: 'create-deliveries-on-node',
    text: 'select create_deliveries($1, $2) as created',
    values: [first.account_id, JSON.stringify(given)],
  })
  return new Set(rows[0]?.created)
}

/** `created` and `requested`. */
const EVENTS_EACH = 2
/** Reserved together, so that few creates wait for the statement. Those that a process leaves unused are gaps. */
const RESERVED = 1_000

const reserved = new WeakMap<Db, string[]>()

/**
 * Takes places of events, ascending. They are from the coordinator, because a node numbers in a range of its own. Later
 * events of the same deliveries have higher ones.
 */
async function takePositions(db: Db, count: number): Promise<string[]> {
  const left = reserved.get(db) ?? []
  reserved.set(db, left)
  while (left.length < count) {
    const { rows } = await db.query<{ position: string }>({
      name: 'reserve-event-positions',
      text: `select nextval(pg_get_serial_sequence('events', 'position')) as position from generate_series(1, $1)`,
      values: [Math.max(count, RESERVED)],
    })
    left.push(...rows.map(({ position }) => position))
  }
  return left.splice(0, count)
}

/** The fields that the function reads, by the names of its columns. */
function toRow({
  content,
  createdEventId,
  requestedEventId,
  leaseMs,
  idempotency,
  audit,
  ...row
}: NewDelivery) {
  const answer = idempotency?.answer
  return {
    ...row,
    content,
    delivery_mode: content.deliveryMode,
    window_from: row.window_from === null ? null : instant(row.window_from),
    window_to: row.window_to === null ? null : instant(row.window_to),
    ready_for_pickup_at: instant(row.ready_for_pickup_at),
    created_at: instant(row.created_at),
    due_at: row.due_at === null ? null : instant(row.due_at),
    lease_ms: leaseMs,
    search_text: toSearchText(content, row.reference),
    created_event: createdEventId,
    requested_event: requestedEventId,
    key: idempotency?.key,
    fingerprint: idempotency?.fingerprint.toString('hex'),
    key_status: answer?.status,
    key_headers: answer?.headers,
    key_body: answer?.body,
    locked_seconds: KEY_LOCK_SECONDS,
    audit_id: audit?.audit_id,
    actor_kind: audit?.actor_kind,
    actor: audit?.actor,
    action: audit?.action,
    ip: audit?.ip,
    request_id: audit?.request_id,
  }
}
