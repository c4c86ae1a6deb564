import { type Db, instant } from '../db/db.ts'
import { KEY_LOCK_SECONDS, type NewDelivery } from '../deliveries/create-deliveries.ts'
import { toSearchText } from '../deliveries/search-deliveries.ts'

/**
 * `createDeliveries` on Citus, for deliveries whose accounts are on one node. It calls the function `create_deliveries`,
 * and Citus sends the call whole to that node. Citus would split the statement for PostgreSQL and run each insert through
 * the coordinator. Returns the ids of the created deliveries. A taken idempotency key fails the whole call with 23505.
 */
export async function createOnNode(db: Db, made: readonly NewDelivery[]): Promise<Set<string>> {
  // Lock ordering: every call inserts in the same order, so two calls with the same references cannot deadlock on them.
  const ordered = made
    .map((delivery) => ({
      delivery,
      sortKey: [delivery.account_id, delivery.reference, delivery.store_id].join('\0'),
    }))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1))
    .map(({ delivery }) => delivery)
  const [first] = ordered
  if (!first) return new Set()
  const positions = await takePositions(db, EVENTS_PER_DELIVERY * ordered.length)
  const given = ordered.map((delivery, index) => {
    const [created_position, requested_position] = positions.slice(EVENTS_PER_DELIVERY * index)
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
const EVENTS_PER_DELIVERY = 2
/** Positions that one statement reserves, so that most creates need not wait for it. */
const RESERVED_POSITIONS = 200
/**
 * A reservation expires after this time. While full passes are slow, the publisher reads only positions of the last
 * seconds (`OPEN_MS` in operations/events/publish-committed.ts), so it would publish an event with an older position late.
 */
const RESERVED_MS = 500

type Reservation = { positions: number[]; untilMs: number }
const reservations = new WeakMap<Db, Reservation>()

/**
 * Takes positions for events from the coordinator's sequence, because a worker's sequence has its own range. The
 * coordinator numbers a delivery's later events, so they get higher positions.
 */
async function takePositions(db: Db, count: number): Promise<number[]> {
  const found = reservations.get(db)
  if (found && found.positions.length >= count && performance.now() < found.untilMs)
    return found.positions.splice(0, count)
  const untilMs = performance.now() + RESERVED_MS
  const { rows } = await db.query<{ position: number }>({
    name: 'reserve-event-positions',
    text: `select nextval(pg_get_serial_sequence('events', 'position')) as position from generate_series(1, $1)`,
    values: [Math.max(count, RESERVED_POSITIONS)],
  })
  const positions = rows.map(({ position }) => position)
  const taken = positions.splice(0, count)
  reservations.set(db, { positions, untilMs })
  return taken
}

/** Converts a delivery to the fields that the function reads. */
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
