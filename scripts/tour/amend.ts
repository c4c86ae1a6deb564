import type { Delivery } from '../../clients/typescript/src/index.ts'
import { formatDollars } from '../../src/domain/text/format-dollars.ts'
import { getRefusal } from './client.ts'
import { nearAddress, orderOf } from './order.ts'
import { say, step, windowWords } from './print.ts'
import type { TourContext } from './tour-context.ts'

const HOUR_MS = 3_600_000

/** Amends a delivery that waits to be booked. Once it has a consignment number, an amendment is rejected. */
export async function amend({ shop, order, startMs }: TourContext): Promise<void> {
  const reference = `${order}-later`
  step('Order a delivery for the afternoon: it waits to be booked', 'POST /demo/deliveries')
  const ready_for_pickup_at = new Date(startMs + 4 * HOUR_MS).toISOString()
  const before = await shop.deliveries.create(orderOf(reference, startMs, { ready_for_pickup_at }))
  tell(before)

  step('The customer has moved: amend it', `PATCH /demo/deliveries/{id}/amend`)
  const after = await shop.deliveries.amend(before.id, {
    ready_for_pickup_at,
    address: { ...nearAddress, country: 'AU' },
    special_instructions: 'Second door on the left.',
  })
  tell(after)

  step('Book it now; then it can no longer be changed', 'PATCH /demo/deliveries/{id}/book')
  tell(await shop.deliveries.book(before.id))
  const refused = await getRefusal(shop.deliveries.amend(before.id, { ready_for_pickup_at }))
  say(`${refused.status} ${refused.code}: ${refused.message}`)
}

function tell({ status, service_quote, from_datetime, to_datetime }: Delivery): void {
  say(
    `${status}: ${formatDollars(service_quote?.price_cents ?? 0)}, ${windowWords(from_datetime, to_datetime)}`,
  )
}
