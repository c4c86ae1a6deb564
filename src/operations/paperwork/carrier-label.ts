import { setTimeout as sleep } from 'node:timers/promises'
import type { Carrier, LabelFormat } from '../../carriers/port/carrier.ts'
import { Refusal } from '../../domain/errors.ts'
import { findBookingDocument, storeBookingDocument } from '../../store/carriers/carrier-documents.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import { findCarrier } from '../directory/find-carrier.ts'

/** How long a request waits for a label that its carrier is still making. */
const PATIENCE_MS = 8_000
const LOOK_EVERY_MS = 500

/** The carrier that makes the labels of a booked delivery itself; null if we make them. */
export async function labelMaker(
  deps: Deps,
  row: DeliveryRow,
  format: LabelFormat,
): Promise<NonNullable<Carrier['label']> | null> {
  if (row.carrier_provider === null || row.content.staffCourier) return null
  const label = (await findCarrier(deps, row.account_id, row.carrier_provider))?.label
  return label?.formats.includes(format) ? label : null
}

/**
 * A carrier's label of a booking: the stored one, or fetched and stored. Refuses `label_not_available` if the carrier
 * has no label yet; a retry is safe, and never books anything.
 */
export async function carrierLabel(
  deps: Deps,
  maker: NonNullable<Carrier['label']>,
  row: DeliveryRow,
  format: LabelFormat,
): Promise<Buffer> {
  const ref = getCarrierRef(row) ?? ''
  const place = { accountId: row.account_id, deliveryId: row.delivery_id, format, ref }
  const kept = await findBookingDocument(deps.db, place)
  if (kept) return kept

  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const outcome = await maker.fetch(ref, format)
    if (outcome.kind === 'yes') {
      await storeBookingDocument(deps.db, place, outcome.value)
      return outcome.value
    }
    const hopeless = outcome.kind === 'no' && outcome.retry !== 'later'
    if (hopeless || performance.now() + LOOK_EVERY_MS > endMs) {
      const carrier = row.chosen?.carrierName ?? 'The carrier'
      const message = `${carrier} did not return the label for ${row.reference}: ${outcome.message}. Try again in a minute.`
      throw new Refusal('label_not_available', message)
    }
    await sleep(LOOK_EVERY_MS)
  }
}

/**
 * Fetches the label right after the booking, so that it is there when the store needs it; after a failure it is fetched
 * on demand.
 */
export async function keepLabelEarly(deps: Deps, row: DeliveryRow): Promise<void> {
  const maker = await labelMaker(deps, row, 'pdf')
  const ref = getCarrierRef(row)
  if (!maker || ref === null) return
  const outcome = await maker.fetch(ref, 'pdf')
  if (outcome.kind !== 'yes') return
  const place = { accountId: row.account_id, deliveryId: row.delivery_id, format: 'pdf' as const, ref }
  await storeBookingDocument(deps.db, place, outcome.value)
}
