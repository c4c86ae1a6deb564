import type { Carrier, CarrierEvent } from '../../carriers/port/carrier.ts'
import { isSilent } from '../../domain/delivery/polling-interval.ts'
import { isFinal } from '../../domain/delivery/status.ts'
import { STRANDED } from '../../domain/delivery/tracking-updates.ts'
import { listKnownCarrierUpdates } from '../../store/carriers/carrier-events.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import {
  releaseDeliveries,
  releaseDelivery,
  type VersionedRow,
} from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { applyCarrierEvents, applyToClaimedRow } from './apply-carrier-events.ts'
import { type Take, trackWithinRateLimit } from './rate-limited-tracking.ts'

const MINUTE_MS = 60_000

/**
 * Polls one carrier for events of claimed deliveries, in batches of the size that it allows, and sets the
 * next poll. If the carrier doesn't answer, the deliveries are polled at the next interval. What is left when the leases
 * are about to end (`untilMs`, by the monotonic clock) is released and due at once: a slow carrier keeps no slots for long.
 */
export async function trackDeliveries(
  deps: Deps,
  entry: AccountEntry,
  carrier: Carrier,
  rows: readonly VersionedRow[],
  untilMs: number,
): Promise<void> {
  const { track } = carrier
  if (!track) {
    await Promise.all(rows.map((row) => releaseDelivery(deps.db, claimKey(row), null)))
    return
  }
  const polled = collectPolled(deps, entry)
  try {
    if (track.budget) {
      const within = { ...track, budget: track.budget }
      return await trackWithinRateLimit(deps, entry, within, rows, { take: polled.take, untilMs })
    }
    for (let start = 0; start < rows.length; start += track.batch) {
      if (performance.now() > untilMs) {
        const left = rows.slice(start).map(claimKey)
        return await releaseDeliveries(deps.db, entry.account.id, left, entry.nowMs())
      }
      const batch = rows.slice(start, start + track.batch)
      const outcome = await track.poll(batch.flatMap((row) => getCarrierRef(row) ?? []))
      const events = outcome.kind === 'yes' ? outcome.value.events : []
      const byConsignment = Map.groupBy(events, ({ consignmentNumber }) => consignmentNumber)
      await polled.take(batch, byConsignment, () => track.everyMinutes * MINUTE_MS)
    }
  } finally {
    await polled.flush()
  }
}

/** A delivery with the carrier's answer to a poll. */
type Polled = { row: VersionedRow; updates: readonly CarrierEvent[]; pauseMs: (row: DeliveryRow) => number }

/** How long the answer to a poll may wait for those of later polls, to share their statements. Leases are longer. */
const SHARE_MS = 1_000

/** Batching: a carrier answers for a few deliveries at a time. The answers of a second are stored together. */
function collectPolled(deps: Deps, entry: AccountEntry) {
  let waiting: Polled[] = []
  let sinceMs = 0
  const flush = async (): Promise<void> => {
    const together = waiting
    waiting = []
    if (together.length > 0) await storePolled(deps, entry, together)
  }
  const take: Take = async (batch, events, pauseMs) => {
    if (waiting.length === 0) sinceMs = performance.now()
    for (const row of batch) {
      const updates = (events.get(getCarrierRef(row) ?? '') ?? []).filter((event) => !standsSo(row, event))
      waiting.push({ row, updates, pauseMs })
    }
    if (performance.now() - sinceMs >= SHARE_MS) await flush()
  }
  return { take, flush }
}

/**
 * Most parcels have no new events in most polls, so one query finds the known events of all of them. Deliveries with
 * new events are written as they were claimed, together; those that another process has changed meanwhile, one by one.
 */
async function storePolled(deps: Deps, entry: AccountEntry, polled: readonly Polled[]): Promise<void> {
  const accountId = entry.account.id
  const updatedIds = polled.filter(({ updates }) => updates.length > 0).map(({ row }) => row.delivery_id)
  const known =
    updatedIds.length > 0 ? await listKnownCarrierUpdates(deps.db, accountId, updatedIds) : new Map()
  const newOf = ({ row, updates }: Polled) =>
    updates.filter(({ eventId }) => !known.get(row.delivery_id)?.has(eventId))
  const changed = polled.filter((one) => newOf(one).length > 0)
  await Promise.all(
    changed.map(async (one) => {
      const { row, updates, pauseMs } = one
      if (await applyToClaimedRow(deps, entry, row, newOf(one), entry.nowMs() + pauseMs(row))) return
      const after = await applyCarrierEvents(deps, entry, row.delivery_id, updates)
      const isOver = after !== null && (after.due_at === null || isFinal(after.status))
      const nextMs = isOver ? after.due_at : entry.nowMs() + pauseMs(row)
      await releaseDelivery(deps.db, claimKey(row), nextMs)
    }),
  )
  const nowMs = entry.nowMs()
  const nextOf = ({ row, pauseMs }: Polled): number | null =>
    isSilent({ subStatus: row.sub_status, updatesDueAtMs: row.carrier_event_at }, nowMs)
      ? null
      : nowMs + pauseMs(row)
  const quiet = polled.filter((one) => !changed.includes(one))
  for (const [nextMs, some] of Map.groupBy(quiet, nextOf)) {
    await releaseDeliveries(
      deps.db,
      accountId,
      some.map(({ row }) => claimKey(row)),
      nextMs,
    )
  }
}

/** A status snapshot that repeats the status that we have: it is only polled in case a webhook was lost. */
function standsSo(row: DeliveryRow, { isSnapshot: standing, status, subStatus }: CarrierEvent): boolean {
  if (!standing) return false
  if (status === 'cancelled' && row.sub_status === STRANDED) return true
  return status === null || (status === row.status && (subStatus === null || subStatus === row.sub_status))
}

function claimKey(row: DeliveryRow) {
  return { accountId: row.account_id, deliveryId: row.delivery_id, fence: row.fence }
}
