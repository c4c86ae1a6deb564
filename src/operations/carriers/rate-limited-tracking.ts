import type { Carrier, CarrierEvent } from '../../carriers/port/carrier.ts'
import {
  getUrgency,
  pollIntervalMs,
  type Urgency,
  untilWholeMinuteMs,
} from '../../domain/delivery/polling-interval.ts'
import { endQuotaTurn, takeFromQuota } from '../../store/carriers/carrier-quotas.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import { releaseDeliveries, type VersionedRow } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

type Track = NonNullable<Carrier['track']>
/** Receives the carrier's answer for some deliveries; `pauseMs`: until the next poll of each. */
export type Take = (
  batch: readonly VersionedRow[],
  events: ReadonlyMap<string, readonly CarrierEvent[]>,
  pauseMs: (row: DeliveryRow) => number,
) => Promise<void>

const MINUTE_MS = 60_000

/**
 * Rate limit (quota): polls for tracking events within a limit that all processes share, urgent deliveries
 * first. When the quota is used up or the leases are about to end, the remaining deliveries are released and are due in turn when the quota
 * has requests again.
 */
export async function trackWithinRateLimit(
  deps: Deps,
  entry: AccountEntry,
  track: Track & Required<Pick<Track, 'budget'>>,
  rows: readonly VersionedRow[],
  { take, untilMs }: { take: Take; untilMs: number },
): Promise<void> {
  const nowMs = entry.nowMs()
  const urgency = (row: DeliveryRow): Urgency =>
    getUrgency({ status: row.status, subStatus: row.sub_status, windowFromMs: row.window_from }, nowMs)
  const waiting = toBatches(
    [...rows].sort((a, b) => urgency(a) - urgency(b)),
    track,
  )
  const toTurns = (batches: VersionedRow[][]) => batches.map((rows) => ({ rows, urgency: urgency(rows[0]!) }))
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    if (performance.now() > untilMs)
      return postpone(deps, entry, toTurns([batch, ...waiting]), 0, track.budget)
    const { startedAt, waitMs } = await takeFromQuota(deps.db, entry.account.id, track.budget)
    if (startedAt === null) {
      return postpone(deps, entry, toTurns([batch, ...waiting]), waitMs, track.budget)
    }
    const outcome = await track.poll(batch.flatMap((row) => getCarrierRef(row) ?? []))
    await endQuotaTurn(deps.db, entry.account.id, track.budget.name, startedAt)
    if (outcome.kind === 'no' && outcome.retry !== 'later' && batch.length > 1) {
      // Split the batch: one ref that the carrier rejects must not block the events of the others.
      const half = Math.ceil(batch.length / 2)
      waiting.unshift(batch.slice(0, half), batch.slice(half))
      continue
    }
    const isAnswered = outcome.kind === 'yes'
    const events = isAnswered ? outcome.value.events : []
    await take(
      batch,
      Map.groupBy(events, ({ consignmentNumber }) => consignmentNumber),
      (row) =>
        untilWholeMinuteMs(
          entry.nowMs(),
          pollIntervalMs(isAnswered ? urgency(row) : 0, track.everyMinutes * MINUTE_MS),
        ),
    )
  }
}

/** At most as many refs as one request may name; a booking may use several ids at the carrier. */
function toBatches(rows: readonly VersionedRow[], { batch: max, idsOf = () => 1 }: Track): VersionedRow[][] {
  const batches: VersionedRow[][] = []
  let room = 0
  for (const row of rows) {
    const ids = idsOf(getCarrierRef(row) ?? '')
    if (batches.length === 0 || ids > room) {
      batches.push([])
      room = max
    }
    batches.at(-1)!.push(row)
    room -= ids
  }
  return batches
}

async function postpone(
  deps: Deps,
  entry: AccountEntry,
  batches: readonly { rows: readonly DeliveryRow[]; urgency: Urgency }[],
  waitMs: number,
  { max, perMs }: Track['budget'] & object,
): Promise<void> {
  for (const [turn, { rows, urgency }] of batches.entries()) {
    // Other processes release deliveries too: less urgent ones are due later, so that all urgent ones go
    // first.
    const dueAtMs = entry.nowMs() + waitMs + Math.floor((turn * perMs) / max) + urgency * perMs
    const claims = rows.map((row) => ({
      accountId: row.account_id,
      deliveryId: row.delivery_id,
      fence: row.fence,
    }))
    await releaseDeliveries(deps.db, entry.account.id, claims, dueAtMs)
  }
}
