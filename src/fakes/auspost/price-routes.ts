import type { FakeAnswer } from '../fake.ts'
import { type Account, COVER } from './accounts.ts'
import { type ApiError, apiError, refused } from './errors.ts'
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './fields.ts'
import { costsOf } from './keep-shipment.ts'
import {
  bundledCents,
  coverCents,
  dollars,
  freightCents,
  gstCents,
  type Measures,
  shipmentCost,
  totalWords,
} from './prices.ts'
import { optionsOf, type Product, productOf } from './products.ts'
import { readMeasures } from './read-item.ts'
import { missing } from './read-party.ts'
import { surchargesOf } from './shipment-answer.ts'
import { readShipments } from './shipment-routes.ts'
import { hasSuburb, statesOf } from './suburbs.ts'

/** POST /prices/items: each product of the contract for each item, without any surcharge. */
export function priceItems(account: Account, body: unknown): FakeAnswer {
  const told = fieldsOf(body)
  const errors: ApiError[] = []
  const from = readPlace(told?.from, account, 'from', errors)
  const to = readPlace(told?.to, account, 'to', errors)
  if (from && account.fromPostcodes && !account.fromPostcodes.includes(from.postcode))
    errors.push(apiError('41007', { field: 'from.postcode' }))
  const list = listOf(told?.items)
  if (list.length === 0) errors.push(missing('items'))
  const items = list.map((value, index) => {
    const item = fieldsOf(value) ?? {}
    const bounds = { network: account.network, flatRate: false, maxKg: Number.POSITIVE_INFINITY }
    return { told: item, measures: readMeasures(item, bounds, `items[${index}]`, errors) }
  })
  if (errors.length > 0 || !from || !to) return refused(400, ...errors)
  const interstate = !from.states.some((state) => to.states.includes(state))
  return {
    status: 200,
    body: {
      items: items.map(({ told: item, measures }) => itemPrices(account, item, measures!, interstate)),
    },
  }
}

/** POST /prices/shipments: what creating them would charge, surcharges and all. */
export function priceShipments(account: Account, body: unknown): FakeAnswer {
  const { errors, drafts } = readShipments(account, body, { whole: false })
  if (errors.length > 0) return refused(400, ...errors)
  const shipments = drafts.map((draft) => {
    const costs = costsOf(draft)
    const cost = shipmentCost(account.network, costs)
    return {
      ...(draft.reference === null ? {} : { shipment_reference: draft.reference }),
      shipment_summary: {
        ...totalWords(cost.totalCents),
        fuel_surcharge: dollars(cost.fuelCents),
        ...surchargesOf(cost),
        status: 'Quoted',
        number_of_items: costs.length,
      },
      items: draft.items.map((item, index) => ({
        ...(item.reference === null ? {} : { item_reference: item.reference }),
        product_id: item.product.productId,
        item_summary: { ...totalWords(costs[index]!.totalCents), ...surchargesOf(costs[index]!) },
      })),
    }
  })
  return { status: 200, body: { shipments } }
}

type Place = { postcode: string; states: string[] }

function readPlace(value: unknown, account: Account, field: string, errors: ApiError[]): Place | null {
  const told = fieldsOf(value)
  const postcode = textOf(told?.postcode)
  if (postcode === null) {
    errors.push(missing(`${field}.postcode`))
    return null
  }
  const states = statesOf(postcode)
  const suburb = textOf(told?.suburb)
  if (account.network === 'startrack' && suburb === null) errors.push(missing(`${field}.suburb`))
  const elsewhere = suburb !== null && !states.some((state) => hasSuburb(suburb, state, postcode))
  if (states.length === 0 || (textOf(told?.country) ?? 'AU') !== 'AU' || elsewhere)
    errors.push(apiError('42001', { field }))
  return { postcode, states }
}

/** A product that cannot take the item is a warning, and the others are priced. */
function itemPrices(account: Account, told: Fields, measures: Measures, interstate: boolean) {
  const asked = Array.isArray(told.product_ids) ? told.product_ids.map(String) : account.productIds
  const dollarsOfCover = numberOf(
    fieldsOf(fieldsOf(fieldsOf(told.features)?.TRANSIT_COVER)?.attributes)?.cover_amount,
  )
  const errors: ApiError[] = []
  const warnings: ApiError[] = []
  const prices: ReturnType<typeof priceOf>[] = []
  for (const productId of asked) {
    const product = account.productIds.includes(productId) ? productOf(productId) : undefined
    if (!product) {
      errors.push(apiError('42012', { context: { product_id: productId } }))
    } else if (measures.weightKg > product.maxKg) {
      const message = `The service ${productId} is not available based upon the submitted weight of ${measures.weightKg} kg.`
      const context = { weight: measures.weightKg.toFixed(1), product_id: productId }
      warnings.push(apiError('43003', { message, context }))
    } else {
      prices.push(priceOf(product, freightCents(product, measures, interstate), dollarsOfCover, account))
    }
  }
  return {
    ...(textOf(told.item_reference) === null ? {} : { item_reference: textOf(told.item_reference) }),
    weight: measures.weightKg,
    height: measures.heightCm,
    length: measures.lengthCm,
    width: measures.widthCm,
    prices,
    errors,
    warnings,
  }
}

function priceOf(product: Product, freight: number, coverDollars: number | null, account: Account) {
  const bundled = bundledCents(freight)
  const cover = coverDollars === null || account.maximumCover === null ? null : coverDollars
  return {
    product_id: product.productId,
    product_type: product.type,
    options: optionsOf(product),
    ...calculated(freight),
    bundled_price: dollars(bundled),
    bundled_price_ex_gst: dollars(bundled - gstCents(bundled)),
    bundled_gst: dollars(gstCents(bundled)),
    ...(cover === null
      ? {}
      : {
          features: {
            TRANSIT_COVER: {
              type: 'TRANSIT_COVER',
              attributes: {
                rate: COVER.ratePercent,
                maximum_cover: account.maximumCover,
                cover_amount: cover,
                included_cover: COVER.includedDollars,
              },
              price: calculated(coverCents(cover)),
              bundled: false,
            },
          },
        }),
  }
}

function calculated(cents: number) {
  return {
    calculated_price: dollars(cents),
    calculated_price_ex_gst: dollars(cents - gstCents(cents)),
    calculated_gst: dollars(gstCents(cents)),
  }
}
