import { orderOf, parcel, perfume } from './order.ts'
import { say, step } from './print.ts'
import type { TourContext } from './tour-context.ts'

/** Two deliveries, one of them with perfume: a declaration, and a manifest for each kind. */
export async function manifest({ shop, order, startMs, until, keep }: TourContext): Promise<void> {
  const references = [`${order}-plain`, `${order}-perfume`]
  step('One parcel of tea, one with perfume', 'POST /demo/deliveries')
  for (const [index, parcels] of [[parcel], [parcel, perfume]].entries()) {
    await shop.deliveries.create(orderOf(references[index] ?? '', startMs, { parcels }))
  }
  for (const reference of references) {
    const { carrier_provider, consignment_number } = await until(reference, 'booked')
    say(`${reference}: ${carrier_provider}, consignment ${consignment_number}`)
  }

  step('The dangerous goods declaration', 'GET dangerous_goods_form_url, or …/label/dgd')
  const { dangerous_goods_form_url } = await shop.deliveries.get(references[1] ?? '')
  await keep('dangerous-goods-declaration.pdf', dangerous_goods_form_url)

  step('Manifest the store: dangerous goods go on one of their own', 'POST /demo/store-manifests')
  const manifests = await shop.manifests.createOfStore({
    store_reference: 'melbourne-cbd',
    create_manifest_now: true,
    generate_order_summary: true,
    delivery_references: references,
  })
  for (const { manifest_group, contains_dangerous_goods, status, external_ref } of manifests) {
    const { number_of_items, total_cost } = external_ref.order_summary
    const kind = contains_dangerous_goods ? 'dangerous goods' : 'everything else'
    say(`${manifest_group}, ${kind}: ${status} as ${external_ref.order_id}`)
    say(`  ${number_of_items} parcels, $${total_cost?.toFixed(2)}`)
  }
  for (const [index, { order_summary_url }] of manifests.entries()) {
    await keep(`order-summary-${index + 1}.pdf`, order_summary_url)
  }
}
