import { formatDollars } from '../../src/domain/text/format-dollars.ts'
import { address, lineItem, orderOf, parcel } from './order.ts'
import { say, step, windowWords } from './print.ts'
import type { TourContext } from './tour-context.ts'

/** The reply of the operator's endpoint, which `@drover/client` has no types for. */
type Ledger = { data: { carrier: string; operation: string; outcome: string }[] }

/** Quotes, explains, creates (once although sent twice) and books a delivery, and fetches its label. */
export async function delivery({ shop, operator, order, startMs, until, keep }: TourContext): Promise<void> {
  const quoteBody = { store_reference: 'melbourne-cbd', address, line_items: [lineItem], parcels: [parcel] }
  step('When could it arrive?', 'POST /demo/deliveries/quote/availability')
  const { explanation: _, ...windows } = await shop.quotes.availability(quoteBody)
  for (const [type, { from_datetime, to_datetime }] of Object.entries(windows)) {
    say(`${type.padEnd(9)} ${windowWords(from_datetime, to_datetime)}`)
  }
  say('An estimate from the store’s hours, its holidays and the cut-offs. It considers no carrier,')
  say('no distance and no price. Use it on a product page.')

  step('What does it cost, and why?', 'POST /demo/deliveries/quote-next-available?explain=true')
  const quotes = await shop.quotes.nextAvailable(quoteBody, { explain: true })
  for (const [type, { price_cents, from_datetime, to_datetime }] of Object.entries(quotes.data)) {
    say(
      `${type.padEnd(9)} ${formatDollars(price_cents).padStart(7)}  ${windowWords(from_datetime, to_datetime)}`,
    )
  }
  for (const service of quotes.explanation?.services ?? []) {
    const why = service.eligible
      ? service.lines.map(({ name, cents }) => `${name} ${formatDollars(cents)}`).join(' + ')
      : service.detail
    say(`  ${service.service.padEnd(8)} ${why}`)
  }

  say('Only what a carrier can do with these parcels to this address, each with its price. So a type from')
  say('the step before may be missing here, or come in another window. Show these at the checkout.')

  step('Create the delivery', 'POST /demo/deliveries   Idempotency-Key: …')
  const body = orderOf(order, startMs, {
    authority_to_leave: true,
    special_instructions: 'Leave behind the blue gate.',
  })
  const create = () => shop.deliveries.create(body, { idempotencyKey: order })
  const created = await create()
  say(`${created.id} for order ${order}: ${created.status}`)
  const same = (await create()).id === created.id
  say(`Sent twice by mistake: the same delivery, ${same ? 'not a second one' : 'A SECOND ONE'}.`)

  step('The carrier books it', 'GET /demo/deliveries/{id}')
  const booked = await until(order, 'booked')
  say(`${booked.carrier_provider} ${booked.service_code}, consignment ${booked.consignment_number}`)
  say(`Promised ${windowWords(booked.from_datetime, booked.to_datetime)}`)

  step('The label', 'GET label_url (signed: no token needed)')
  await keep('label.pdf', booked.label_url)

  step('The requests to the carrier', 'GET /admin/accounts/demo/sandbox/ledger')
  const ledger = await operator.get<Ledger>(`/admin/accounts/demo/sandbox/ledger?reference=${order}`)
  for (const { carrier, operation, outcome } of ledger.data) say(`${carrier}: ${operation} → ${outcome}`)
}
