import { formatDollars } from '../../src/domain/text/format-dollars.ts'
import { client } from './client.ts'
import { customer, lineItem, nearAddress, parcel } from './order.ts'
import { say, step, windowWords } from './print.ts'
import type { TourContext } from './tour-context.ts'

/** The replies to the link's page, which `@drover/client` has no types for. */
type Data<T> = { data: T }
type Options = Record<string, { price_cents: number; from_datetime: string; to_datetime: string }>
type Booking = { delivery_type: string }

/** A customer turns a click-and-collect order into a delivery by themselves. */
export async function link({ base, shop, order, until }: TourContext): Promise<void> {
  const reference = `${order}-collect`
  step('Send the customer a link', 'POST /demo/links')
  const made = await shop.links.create({
    store_reference: 'melbourne-cbd',
    reference,
    customer,
    address: nearAddress,
    line_items: [lineItem],
    parcels: [parcel],
  })
  say(made.link)

  const path = new URL(made.link).pathname
  const phone = client(base, null)
  step('The customer proves that the order is theirs', 'POST /l/{token}/verify')
  const wrong = await phone.refusal('POST', `${path}/verify`, { reference: 'another-order' })
  say(`A wrong number: ${wrong.detail}`)
  const { data } = await phone.post<Data<{ session: string }>>(`${path}/verify`, { reference })
  const session = { 'link-session': data.session }

  step('The options, with times and prices', 'GET /l/{token}/options')
  const options = await phone.get<Data<Options>>(`${path}/options`, session)
  for (const [type, { price_cents, from_datetime, to_datetime }] of Object.entries(options.data)) {
    say(
      `${type.padEnd(9)} ${formatDollars(price_cents).padStart(7)}  ${windowWords(from_datetime, to_datetime)}`,
    )
  }

  step('Book it, twice by mistake', 'POST /l/{token}/book')
  for (const delivery_type of ['standard', 'express']) {
    const { data: booking } = await phone.post<Data<Booking>>(`${path}/book`, { delivery_type }, session)
    say(`Asked for ${delivery_type}: it is ${booking.delivery_type}`)
  }
  const { consignment_number } = await until(reference, 'booked')
  say(`One delivery, consignment ${consignment_number}`)
}
