import { getRefusal } from './client.ts'
import { orderOf } from './order.ts'
import { say, step, windowWords } from './print.ts'
import type { TourContext } from './tour-context.ts'

/** The customer returns goods: the payload is the same, and the carrier gets the opposite direction. */
export async function customerPickup({ shop, order, startMs, until, keep }: TourContext): Promise<void> {
  const reference = `${order}-back`
  step('Pick a return up from the customer', 'POST /demo/deliveries   delivery_mode: customer_pickup')
  const body = orderOf(reference, startMs, { delivery_mode: 'customer_pickup' })
  await shop.deliveries.create(body)
  const booked = await until(reference, 'booked')
  say(`${booked.delivery_mode}: ${booked.carrier_provider}, consignment ${booked.consignment_number}`)
  say(`At the store ${windowWords(booked.from_datetime, booked.to_datetime)}`)

  step('Its label: from the customer, to the store', 'GET label_url')
  await keep('label-from-customer.pdf', booked.label_url)

  step('A store without customer pickup rejects it', 'POST /demo/deliveries')
  const elsewhere = { ...body, reference: `${reference}-brisbane`, store_reference: 'brisbane-cbd' }
  const refused = await getRefusal(shop.deliveries.create(elsewhere))
  say(`${refused.status} ${refused.code}: ${refused.errors[0]?.message ?? refused.message}`)
}
