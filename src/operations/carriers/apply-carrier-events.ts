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
import { keepCarrierEvents, listNewsSince } from '../../store/carriers/carrier-events.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDeliveryForUpdate } from '../../store/deliveries/deliveries.ts'
import { carrierRefOf, type DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { replanDelivery } from '../bookings/replan-delivery.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'
import { bringsProofs } from './carrier-proof.ts'

/**
 * Keeps a carrier's news of one delivery and moves it along. The same news twice is one piece of news; the
 * row is locked, so two reporters at once agree. Answers the row after it, null when there is none.
 */
export async function applyCarrierEvents(
  deps: Deps,
  entry: AccountEntry,
  deliveryId: string,
  told: readonly CarrierEvent[],
): Promise<DeliveryRow | null> {
  const accountId = entry.account.id
  return withTransaction(deps.db, async (db) => {
    const row = await findDeliveryForUpdate(db, accountId, deliveryId)
    if (!row || row.erased_at !== null) return row
    const news = told.filter(({ consignmentNumber }) => isOf(row, consignmentNumber))
    const fresh = await keepCarrierEvents(db, accountId, deliveryId, news, entry.nowMs())
    if (fresh.length === 0) return row
    const heard = await heardBefore(db, row, fresh)

    const gone = news.find((one) => isLetGo(row, one) && fresh.some(({ eventId }) => eventId === one.eventId))
    if (gone && BEFORE_COLLECTION.includes(row.status)) {
      // Told before it gave up: that stays in the timeline.
      const before = fresh.filter(({ eventId }) => eventId !== gone.eventId)
      const now = before.length > 0 ? ((await apply(deps, entry, db, row, before, heard)) ?? row) : row
      // Collected by then: nobody else can have it.
      if (!BEFORE_COLLECTION.includes(now.status)) {
        return (await apply(deps, entry, db, now, [gone], [...heard, ...before])) ?? now
      }
      if (row.replan_requested) return replanDelivery(deps, entry, now, { db })
      const why = `${row.chosen?.carrierName ?? 'Its carrier'} gave it up: ${gone.said}`
      return replanDelivery(deps, entry, now, { db, why, refused: true })
    }
    return (await apply(deps, entry, db, row, fresh, heard)) ?? row
  })
}

/** Over there, and not here: its carrier gave it up, or tells that it does as it was asked before it answers. */
function isLetGo(row: DeliveryRow, { status, letGo }: CarrierEvent): boolean {
  if (row.cancel_requested_at === null) return letGo === true
  return row.replan_requested && status === 'cancelled'
}

/** What was told while it was planned anew is of the booking before: no news of what it stands on now. */
function isOf(row: DeliveryRow, consignmentNumber: string): boolean {
  return consignmentNumber === carrierRefOf(row) || consignmentNumber === row.consignment_number
}

/** What was told of its booking before, where some of the fresh news is older than that. */
async function heardBefore(
  db: Parameters<typeof changeDelivery>[0],
  row: DeliveryRow,
  fresh: readonly TrackingUpdate[],
): Promise<TrackingUpdate[]> {
  if (!fresh.some((item) => isLate(item, { carrierEventAtMs: row.carrier_event_at }))) return []
  const sinceMs = row.booked_at ?? row.created_at
  const kept = await listNewsSince(db, row.account_id, row.delivery_id, sinceMs)
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
  const before = { status: row.status, subStatus: row.sub_status, carrierEventAtMs: row.carrier_event_at }
  return write(deps, entry, db, row, applyTrackingUpdates(before, fresh, heard))
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
    {
      status: result.status,
      sub_status: result.subStatus,
      ...(result.carrierEventAtMs === null ? {} : { carrier_event_at: result.carrierEventAtMs }),
      ...(isFinal(result.status) ? { cancel_requested_at: null } : {}),
      ...(isFinal(result.status) && !isFinal(row.status)
        ? { due_at: dueAtEnd(deps, entry, row, result) }
        : {}),
    },
    result.effects.map((effect) => toldBy(deps, effect, row)),
  )
}

/** What is left to do of a delivery at its end: to ask for the proof that its courier brings. */
function dueAtEnd(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { status }: TrackingResult,
): number | null {
  return status === 'delivered' && bringsProofs(deps, row) ? entry.nowMs() : null
}

function toldBy(deps: Deps, effect: TrackingEffect, row: DeliveryRow) {
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
