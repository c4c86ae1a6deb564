import type { Carrier, CarrierEvent } from '../../carriers/port/carrier.ts'
import { isSilent } from '../../domain/delivery/polling-interval.ts'
import { isFinal } from '../../domain/delivery/status.ts'
import { STRANDED } from '../../domain/delivery/tracking-updates.ts'
import { listKnownCarrierUpdates } from '../../store/carriers/carrier-events.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import { releaseDeliveries, releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { applyCarrierEvents } from './apply-carrier-events.ts'
import { trackWithinRateLimit } from './rate-limited-tracking.ts'

const MINUTE_MS = 60_000

/**
 * Polls one carrier for events of claimed deliveries, in batches of the size that it allows, and sets the
 * next poll. If the carrier doesn't answer, the deliveries are polled at the next interval.
 */
export async function trackDeliveries(
  deps: Deps,
  entry: AccountEntry,
  carrier: Carrier,
  rows: readonly DeliveryRow[],
): Promise<void> {
  const { track } = carrier
  if (!track) {
    await Promise.all(rows.map((row) => releaseDelivery(deps.db, claimKey(row), null)))
    return
  }
  if (track.budget) {
    const within = { ...track, budget: track.budget }
    return trackWithinRateLimit(deps, entry, within, rows, (batch, events, pauseMs) =>
      takeAll(deps, entry, batch, events, pauseMs),
    )
  }
  for (let start = 0; start < rows.length; start += track.batch) {
    const batch = rows.slice(start, start + track.batch)
    const outcome = await track.poll(batch.flatMap((row) => getCarrierRef(row) ?? []))
    const events = outcome.kind === 'yes' ? outcome.value.events : []
    const byConsignment = Map.groupBy(events, ({ consignmentNumber }) => consignmentNumber)
    await takeAll(deps, entry, batch, byConsignment, () => track.everyMinutes * MINUTE_MS)
  }
}

/**
 * Most parcels have no new events in most polls, so one query finds the known events of the whole batch, and
 * only deliveries with new events are locked and written one by one.
 */
async function takeAll(
  deps: Deps,
  entry: AccountEntry,
  batch: readonly DeliveryRow[],
  byConsignment: ReadonlyMap<string, readonly CarrierEvent[]>,
  pauseMs: (row: DeliveryRow) => number,
): Promise<void> {
  const accountId = entry.account.id
  const updatesOf = (row: DeliveryRow) =>
    (byConsignment.get(getCarrierRef(row) ?? '') ?? []).filter((event) => !standsSo(row, event))
  const updatedIds = batch.filter((row) => updatesOf(row).length > 0).map(({ delivery_id }) => delivery_id)
  const known =
    updatedIds.length > 0 ? await listKnownCarrierUpdates(deps.db, accountId, updatedIds) : new Map()
  const isNew = (row: DeliveryRow): boolean =>
    updatesOf(row).some(({ eventId }) => !known.get(row.delivery_id)?.has(eventId))
  const [changed, quiet] = [batch.filter(isNew), batch.filter((row) => !isNew(row))]
  await Promise.all(
    changed.map(async (row) => {
      const after = await applyCarrierEvents(deps, entry, row.delivery_id, updatesOf(row))
      const isOver = after !== null && (after.due_at === null || isFinal(after.status))
      const nextMs = isOver ? after.due_at : entry.nowMs() + pauseMs(row)
      await releaseDelivery(deps.db, claimKey(row), nextMs)
    }),
  )
  const nowMs = entry.nowMs()
  const nextOf = (row: DeliveryRow): number | null =>
    isSilent({ subStatus: row.sub_status, updatesDueAtMs: row.carrier_event_at }, nowMs)
      ? null
      : nowMs + pauseMs(row)
  for (const [nextMs, rows] of Map.groupBy(quiet, nextOf)) {
    await releaseDeliveries(deps.db, accountId, rows.map(claimKey), nextMs)
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
