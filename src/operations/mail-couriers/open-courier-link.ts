import type { Consignment } from '../../carriers/port/carrier.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { type BookingIntent, hasRequest, listIntents } from '../../store/deliveries/booking-intents.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Booked, isCourierAddress } from '../tokens/courier-link.ts'
import type { NoteFacts } from './courier-note.ts'
import { type HandReport, reportByHand } from './report-by-hand.ts'

/** Capability URL: the parts of the link in a courier's mail. */
export type CourierLink = Booked & { exp: string; sig: string }

/**
 * The booking that the link was mailed for. Refuses `not_found` alike for a booking that never existed and
 * for one that is over.
 */
export async function openCourierLink(
  deps: Deps,
  link: CourierLink,
): Promise<{ delivery: Delivery; facts: NoteFacts }> {
  const { entry, row, intent } = await opened(deps, link)
  const delivery = toDelivery(row)
  const store = entry.account.storeById.get(row.store_id)
  return {
    delivery,
    facts: {
      consignment: intent.consignment as Consignment,
      booking: { consignmentNumber: delivery.consignmentNumber ?? '', articles: delivery.articles },
      carrierName: delivery.chosen?.carrierName ?? '',
      sandbox: entry.account.mode === 'sandbox',
      zone: store?.zone ?? entry.account.zone,
    },
  }
}

/** A status report from the courier's staff by their link. */
export async function reportByLink(deps: Deps, link: CourierLink, report: HandReport): Promise<Delivery> {
  const { entry, row } = await opened(deps, link)
  return reportByHand(deps, entry, row, report, 'courier')
}

async function opened(
  deps: Deps,
  { accountId, key, exp, sig }: CourierLink,
): Promise<{ entry: AccountEntry; row: DeliveryRow; intent: BookingIntent }> {
  const entry = await deps.accounts.find(accountId)
  if (!entry || !isCourierAddress(deps.secretKey, { accountId, key }, { exp, sig }, entry.nowMs()))
    throw nothing()
  const deliveryId = key.replace(/-\d+$/, '')
  const row = await findDelivery(deps.db, accountId, deliveryId)
  const intents = row ? await listIntents(deps.db, accountId, deliveryId) : []
  const intent = intents.find((one) => one.key === key && one.state === 'accepted')
  if (!row || !intent || !hasRequest(intent)) throw nothing()
  return { entry, row, intent }
}

function nothing(): Refusal {
  return new Refusal(
    'not_found',
    'This link doesn’t work, or no longer does. Check that the address is complete.',
  )
}
