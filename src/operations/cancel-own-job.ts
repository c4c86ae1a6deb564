import { can, type Status } from '../domain/delivery/status.ts'
import { Refusal } from '../domain/errors.ts'
import { plain } from '../domain/messages/words.ts'
import { changeDelivery } from '../store/change-delivery.ts'
import { answerOffer, queueDriverNote } from '../store/courier-offers.ts'
import { findDelivery } from '../store/deliveries.ts'
import type { DeliveryRow } from '../store/delivery-rows.ts'
import { withTransaction } from '../store/pool.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Deps } from './deps.ts'
import { driverMessageId } from './driver-token.ts'

const MOST_TRIES = 5
/** A driver who has not read it by then stands in the store already. */
const NOTE_LIFE_MS = 2 * 3_600_000

/**
 * Cancels a delivery of the store's own couriers: at once, as no carrier has to be asked. A driver who has taken it
 * is told by SMS. Refuses `not_cancellable` once the parcels are with him.
 */
export async function cancelOwnJob(
  deps: Deps,
  entry: AccountEntry,
  found: DeliveryRow,
  reason: string | null,
): Promise<DeliveryRow> {
  let row: DeliveryRow | null = found
  for (let tries = 1; row && tries <= MOST_TRIES; tries++) {
    if (row.status === 'cancelled') return row
    if (!can('cancel', row)) {
      const message = `Delivery ${row.reference} is ${row.status}: its driver has it. Call the driver.`
      throw new Refusal('not_cancellable', message)
    }
    const cancelled = await cancel(deps, entry, row, reason)
    if (cancelled) {
      deps.wake()
      return cancelled
    }
    row = await findDelivery(deps.db, row.account_id, row.delivery_id)
  }
  throw new Refusal(
    'version_conflict',
    'Others change this delivery at the same time: read it and try again.',
  )
}

/** Statuses in which nobody has taken it, so nobody must be told. */
const UNTAKEN: readonly Status[] = ['created', 'requested', 'on_hold']

async function cancel(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  reason: string | null,
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  const eventId = deps.newId('evt')
  return withTransaction(deps.db, async (db) => {
    const cancelled = await changeDelivery(
      db,
      {
        accountId: row.account_id,
        deliveryId: row.delivery_id,
        nowMs,
        guard: { statuses: [row.status], noOpenAttempt: true, contentVersion: row.content_version },
      },
      { status: 'cancelled', status_reason: reason, cancel_reason: reason, due_at: null },
      [
        {
          eventId,
          type: 'delivery.cancelled',
          atMs: nowMs,
          source: 'api',
          from: row.status,
          to: 'cancelled',
          subStatus: null,
          consignmentNumber: row.consignment_number,
          detail: reason,
        },
      ],
    )
    if (!cancelled) return null
    await answerOffer(db, row, { outcome: 'withdrawn', reason, live: false, atMs: nowMs })
    if (!UNTAKEN.includes(row.status)) {
      await queueDriverNote(db, row, {
        id: driverMessageId(eventId),
        body: calledOff(entry, row),
        atMs: nowMs,
        notAfterMs: nowMs + NOTE_LIFE_MS,
      })
    }
    return cancelled
  })
}

function calledOff({ account }: AccountEntry, { store_id, reference, content }: DeliveryRow): string {
  const store = account.storeById.get(store_id)
  const name = store ? `${store.brand.name} ${store.name}` : account.id
  return `${plain(name)}: ${plain(reference)} to ${plain(content.address.city)} is called off. Do not collect it.`
}
