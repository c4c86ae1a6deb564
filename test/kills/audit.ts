import type { Pool } from 'pg'
import { type Status, transition } from '../../src/domain/delivery/status.ts'
import type { HistoryClient } from './client-history.ts'
import type { KillJob } from './jobs.ts'

/** The result of a run: how often each promise was broken, and every breach as a sentence. */
export type Audit = {
  lost: number
  /** References with more than one active booking at some moment, by the carrier of the second one. */
  doubled: { reference: string; carrier: string }[]
  /** Bookings that are active at a carrier and unknown to us. */
  orphans: number
  breaches: string[]
  ends: Record<string, number>
}

type DeliveryRow = {
  reference: string
  delivery_id: string
  status: Status
  status_reason: string | null
  consignment_number: string | null
  pending_attempt: number | null
  dead_letter_reason: string | null
}
type LedgerRow = {
  reference: string
  carrier: string
  operation: string
  outcome: string
  consignment: string
}
type EventRow = { stream: string; from_status: Status | null; to_status: Status | null }

const NOT_AT_CARRIER: readonly Status[] = ['created', 'requested', 'on_hold', 'cancelled']

/** Compares our record of every job with the carriers' own ledgers. */
export async function audit(db: Pool, client: HistoryClient, jobs: readonly KillJob[]): Promise<Audit> {
  const deliveries = await readDeliveries(db)
  const active = new Map<string, Set<string>>()
  const result: Audit = {
    lost: 0,
    doubled: findDoubles(await readLedger(db), active),
    orphans: 0,
    breaches: [...client.history.wrong],
    ends: {},
  }
  for (const { reference, carrier } of result.doubled) {
    result.breaches.push(`${reference} was booked twice at once at ${carrier}`)
  }
  for (const job of jobs) {
    const delivery = deliveries.get(job.reference)
    const id = client.history.created.get(job.reference)
    if (id === undefined) continue
    if (delivery?.delivery_id !== id || !(await isAsOrdered(client, job))) {
      result.lost += 1
      result.breaches.push(`${job.reference} was acknowledged and is lost or changed`)
    }
    if (!delivery) continue
    result.ends[delivery.status] = (result.ends[delivery.status] ?? 0) + 1
    const held = active.get(job.reference) ?? new Set()
    const ours = [delivery.consignment_number ?? ''].filter(Boolean)
    const orphans = [...held].filter((number) => !ours.includes(number))
    if (orphans.length > 0 && delivery.pending_attempt === null) {
      result.orphans += 1
      result.breaches.push(`${job.reference} is ${delivery.status}; ${orphans} is active and unknown to us`)
    }
    result.breaches.push(...breachesOf(delivery, held, client.history.cancelled.has(job.reference)))
  }
  result.breaches.push(...(await illegalEdges(db)))
  return result
}

function breachesOf(delivery: DeliveryRow, held: ReadonlySet<string>, cancelled: boolean): string[] {
  const { reference, status, status_reason, consignment_number, pending_attempt, dead_letter_reason } =
    delivery
  const atCarrier = !NOT_AT_CARRIER.includes(status)
  return [
    status === 'requested' || status === 'created'
      ? `${reference} never came to an end: ${status_reason}`
      : '',
    status === 'on_hold' && !status_reason ? `${reference} is on hold without a reason` : '',
    atCarrier && !held.has(consignment_number ?? '') ? `${reference} is ${status} and stands nowhere` : '',
    !atCarrier && held.size > 0 && pending_attempt === null
      ? `${reference} is ${status} and has a booking at a carrier`
      : '',
    cancelled && status !== 'cancelled' ? `${reference}: its cancel was answered 200; it is ${status}` : '',
    dead_letter_reason ? `${reference} was dead-lettered: ${dead_letter_reason}` : '',
  ].filter(Boolean)
}

/** Replays the ledger; `active` ends as the set of bookings that are active at its end. */
function findDoubles(ledger: readonly LedgerRow[], active: Map<string, Set<string>>): Audit['doubled'] {
  const doubled = new Map<string, string>()
  for (const { reference, carrier, operation, outcome, consignment } of ledger) {
    const held = active.get(reference) ?? new Set()
    active.set(reference, held)
    if (operation === 'book' && outcome === 'booked') held.add(consignment)
    if (operation === 'cancel' && outcome === 'cancelled') held.delete(consignment)
    if (held.size > 1) doubled.set(reference, carrier)
  }
  return [...doubled].map(([reference, carrier]) => ({ reference, carrier }))
}

async function isAsOrdered(client: HistoryClient, { reference, body }: KillJob): Promise<boolean> {
  const read = await client.read(reference)
  return read.reference === reference && read.special_instructions === body.special_instructions
}

async function readDeliveries(db: Pool): Promise<Map<string, DeliveryRow>> {
  const { rows } = await db.query<DeliveryRow>(
    `select reference, delivery_id, status, status_reason, consignment_number, pending_attempt, dead_letter_reason
     from deliveries where account_id = 'demo'`,
  )
  return new Map(rows.map((row) => [row.reference, row]))
}

async function readLedger(db: Pool): Promise<LedgerRow[]> {
  const { rows } = await db.query<LedgerRow>(
    `select reference, carrier, operation, outcome, consignment_number as consignment
     from sandbox_ledger where account_id = 'demo' order by entry`,
  )
  return rows
}

/** Every timeline follows the table of statuses, each step from the end of the last one. */
async function illegalEdges(db: Pool): Promise<string[]> {
  const { rows } = await db.query<EventRow>(
    `select stream, from_status, to_status from events
     where account_id = 'demo' and stream <> '' and to_status is not null order by stream, position`,
  )
  const at = new Map<string, Status>()
  return rows.flatMap(({ stream, from_status, to_status }) => {
    const from = at.get(stream) ?? null
    const to = to_status as Status
    at.set(stream, to)
    const legal = from === null ? to === 'created' : from === from_status && transition(from, to) !== null
    return legal ? [] : [`${stream} went from ${from} to ${to}, reported as from ${from_status}`]
  })
}
