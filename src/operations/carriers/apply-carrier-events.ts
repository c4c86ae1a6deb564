import type { CarrierEvent } from '../../carriers/port/carrier.ts'
import { isFinal } from '../../domain/delivery/status.ts'
import {
  applyTrackingUpdates,
  isLate,
  type TrackingEffect,
  type TrackingResult,
  type TrackingUpdate,
} from '../../domain/delivery/tracking-updates.ts'
import { BEFORE_COLLECTION } from '../../domain/own-network/job.ts'
import { listCarrierUpdatesSince, storeCarrierEvents } from '../../store/carriers/carrier-events.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery, changeDeliveryTogether } from '../../store/deliveries/change-delivery.ts'
import { findDeliveryForUpdate } from '../../store/deliveries/deliveries.ts'
import type { DeliveryPatch } from '../../store/deliveries/delivery-change.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import type { VersionedRow } from '../../store/deliveries/due-deliveries.ts'
import { replanDelivery } from '../bookings/replan-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { hasProofApi } from './carrier-proof.ts'

/** Carriers' clocks may be fast by this much; the order of their events stays. */
const MAX_AHEAD_MS = 5 * 60_000

/**
 * Stores a carrier's events of one delivery and updates its status. A duplicate event has no further effect,
 * and a row lock serialises concurrent reporters. Returns the updated row, null if there is no such delivery.
 */
export async function applyCarrierEvents(
  deps: Deps,
  entry: AccountEntry,
  deliveryId: string,
  reported: readonly CarrierEvent[],
): Promise<DeliveryRow | null> {
  const accountId = entry.account.id
  return withTransaction(deps.db, async (db) => {
    const row = await findDeliveryForUpdate(db, accountId, deliveryId)
    if (!row || row.erased_at !== null) return row
    const nowMs = entry.nowMs()
    const updates = toUpdates(row, reported, nowMs)
    const fresh = await storeCarrierEvents(db, accountId, deliveryId, updates, nowMs)
    if (fresh.length === 0) return row
    const heard = await heardBefore(db, row, fresh)

    const decommissioned = updates.find(
      (one) => isReleased(row, one) && fresh.some(({ eventId }) => eventId === one.eventId),
    )
    if (decommissioned && BEFORE_COLLECTION.includes(row.status)) {
      // Events from before the carrier cancelled stay in the timeline.
      const before = fresh.filter(({ eventId }) => eventId !== decommissioned.eventId)
      const now = before.length > 0 ? ((await apply(deps, entry, db, row, before, heard)) ?? row) : row
      // The parcels were collected by then: no other carrier can have them.
      if (!BEFORE_COLLECTION.includes(now.status)) {
        return (await apply(deps, entry, db, now, [decommissioned], [...heard, ...before])) ?? now
      }
      if (row.replan_requested) return replanDelivery(deps, entry, now, { db })
      const why = `${row.chosen?.carrierName ?? 'Its carrier'} gave it up: ${decommissioned.message}`
      return replanDelivery(deps, entry, now, { db, why, refused: true })
    }
    return (await apply(deps, entry, db, row, fresh, heard)) ?? row
  })
}

/**
 * Optimistic lock: like `applyCarrierEvents`, but uses the row as this process claimed it, without locking it first, and
 * shares its statement with other deliveries. Stores events that are `fresh`, updates the status and ends the claim; due
 * again at `nextMs` (account time), unless the delivery has ended. Null: nothing was written, because another
 * transaction has changed the row since, or because the case needs the lock: a cancellation, a release by the carrier, a
 * late or repeated event, a final or erased delivery.
 */
export async function applyToClaimedRow(
  deps: Deps,
  entry: AccountEntry,
  row: VersionedRow,
  fresh: readonly CarrierEvent[],
  nextMs: number,
): Promise<DeliveryRow | null> {
  const { rowVersion, fence, status } = row
  const nowMs = entry.nowMs()
  const updates = toUpdates(row, fresh, nowMs)
  const isPlain =
    updates.length > 0 &&
    new Set(updates.map(({ eventId }) => eventId)).size === updates.length &&
    updates.every(
      (one) => !one.carrierReleased && !isLate(one, { carrierEventAtMs: row.carrier_event_at }),
    ) &&
    row.erased_at === null &&
    row.cancel_requested_at === null &&
    !isFinal(status)
  if (!rowVersion || !isPlain) return null
  const result = applyTrackingUpdates(toState(row), updates)
  return changeDeliveryTogether(deps.db, {
    target: {
      accountId: row.account_id,
      deliveryId: row.delivery_id,
      nowMs,
      guard: { statuses: [status], fence, rowVersion },
    },
    patch: { due_at: nextMs, ...toPatch(deps, entry, row, result) },
    events: result.effects.map((effect) => reportedBy(deps, effect, row)),
    updates,
  })
}

/** The events of the delivery's own booking. */
function toUpdates(row: DeliveryRow, reported: readonly CarrierEvent[], nowMs: number): CarrierEvent[] {
  // Events far ahead of our time would make all later ones look older, so that they had no effect.
  return reported
    .filter(({ consignmentNumber }) => isConsignmentOf(row, consignmentNumber))
    .map((event) => (event.atMs > nowMs + MAX_AHEAD_MS ? { ...event, atMs: nowMs } : event))
}

function toState(row: DeliveryRow) {
  return { status: row.status, subStatus: row.sub_status, carrierEventAtMs: row.carrier_event_at }
}

/**
 * Cancelled at the carrier but not here: the carrier gave the booking up, or its event confirms our
 * cancellation before its response does.
 */
function isReleased(row: DeliveryRow, { status, carrierReleased }: CarrierEvent): boolean {
  if (row.cancel_requested_at === null) return carrierReleased === true
  return row.replan_requested && status === 'cancelled'
}

/**
 * An event that arrives after the delivery was rebooked is about the previous booking and doesn't count for
 * the current one.
 */
function isConsignmentOf(row: DeliveryRow, consignmentNumber: string): boolean {
  return consignmentNumber === getCarrierRef(row) || consignmentNumber === row.consignment_number
}

/** Earlier events of the booking, needed only if a fresh event is older than they are. */
async function heardBefore(
  db: Parameters<typeof changeDelivery>[0],
  row: DeliveryRow,
  fresh: readonly TrackingUpdate[],
): Promise<TrackingUpdate[]> {
  if (!fresh.some((item) => isLate(item, { carrierEventAtMs: row.carrier_event_at }))) return []
  const sinceMs = row.booked_at ?? row.created_at
  const kept = await listCarrierUpdatesSince(db, row.account_id, row.delivery_id, sinceMs)
  const ids = new Set(fresh.map(({ eventId }) => eventId))
  return kept.filter(({ eventId }) => !ids.has(eventId))
}

function apply(
  deps: Deps,
  entry: AccountEntry,
  db: Parameters<typeof changeDelivery>[0],
  row: DeliveryRow,
  fresh: readonly TrackingUpdate[],
  heard: readonly TrackingUpdate[],
): Promise<DeliveryRow | null> {
  return write(deps, entry, db, row, applyTrackingUpdates(toState(row), fresh, heard))
}

async function write(
  deps: Deps,
  entry: AccountEntry,
  db: Parameters<typeof changeDelivery>[0],
  row: DeliveryRow,
  result: TrackingResult,
): Promise<DeliveryRow | null> {
  return changeDelivery(
    db,
    {
      accountId: row.account_id,
      deliveryId: row.delivery_id,
      nowMs: entry.nowMs(),
      guard: { statuses: [row.status] },
      keepLease: true,
    },
    toPatch(deps, entry, row, result),
    result.effects.map((effect) => reportedBy(deps, effect, row)),
  )
}

function toPatch(deps: Deps, entry: AccountEntry, row: DeliveryRow, result: TrackingResult): DeliveryPatch {
  return {
    status: result.status,
    sub_status: result.subStatus,
    ...(result.carrierEventAtMs === null ? {} : { carrier_event_at: result.carrierEventAtMs }),
    ...(isFinal(result.status) ? { cancel_requested_at: null } : {}),
    ...(isFinal(result.status) && !isFinal(row.status) ? { due_at: dueAtEnd(deps, entry, row, result) } : {}),
  }
}

/** When a delivery has ended, the only work left is to fetch the courier's proof of delivery. */
function dueAtEnd(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { status }: TrackingResult,
): number | null {
  return status === 'delivered' && hasProofApi(deps, entry, row) ? entry.nowMs() : null
}

function reportedBy(deps: Deps, effect: TrackingEffect, row: DeliveryRow) {
  return {
    eventId: deps.newId('evt'),
    type: effect.type,
    atMs: effect.atMs,
    source: 'carrier' as const,
    from: effect.from,
    to: effect.to,
    subStatus: effect.subStatus,
    consignmentNumber: row.consignment_number,
    detail: effect.detail,
  }
}
