import type { FakeAnswer } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused } from './error-answers.ts'
import { type ApiError, apiError } from './errors.ts'
import { fieldsOf, listOf, textOf } from './fields.ts'
import { itemPrices } from './item-prices.ts'
import { dollars, shipmentCost, totalWords } from './prices.ts'
import { readMeasures } from './read-item.ts'
import { missing } from './read-party.ts'
import { readShipments } from './read-shipments.ts'
import { surchargesOf } from './shipment-answer.ts'
import { costsOf } from './store-shipment.ts'
import { hasSuburb, statesOf } from './suburbs.ts'
import { warningsOf } from './warnings.ts'

/** POST /prices/items: each product of the contract for each item, without any surcharge. */
export function priceItems(account: Account, body: unknown): FakeAnswer {
  const fields = fieldsOf(body)
  const errors: ApiError[] = []
  const from = readPlace(fields?.from, account, 'from', errors)
  const to = readPlace(fields?.to, account, 'to', errors)
  if (from && account.fromPostcodes && !account.fromPostcodes.includes(from.postcode))
    errors.push(apiError('41007', { field: 'from.postcode' }))
  const list = listOf(fields?.items)
  if (list.length === 0) errors.push(missing('items'))
  const items = list.map((value, index) => {
    const item = fieldsOf(value) ?? {}
    const bounds = { network: account.network, flatRate: false, maxKg: Number.POSITIVE_INFINITY }
    return { fields: item, measures: readMeasures(item, bounds, `items[${index}]`, errors) }
  })
  if (errors.length > 0 || !from || !to) return refused(400, ...errors)
  const interstate = !from.states.some((state) => to.states.includes(state))
  return {
    status: 200,
    body: {
      items: items.map(({ fields: item, measures }) => itemPrices(account, item, measures!, interstate)),
    },
  }
}

/** POST /prices/shipments: the price of creating them, including surcharges. */
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
  return { status: 200, body: { shipments, ...warningsOf(drafts) } }
}

type Place = { postcode: string; states: string[] }

function readPlace(value: unknown, account: Account, field: string, errors: ApiError[]): Place | null {
  const fields = fieldsOf(value)
  const postcode = textOf(fields?.postcode)
  if (postcode === null) {
    errors.push(missing(`${field}.postcode`))
    return null
  }
  const states = statesOf(postcode)
  const suburb = textOf(fields?.suburb)
  if (account.network === 'startrack' && suburb === null) errors.push(missing(`${field}.suburb`))
  const isMisplaced = suburb !== null && !states.some((state) => hasSuburb(suburb, state, postcode))
  if (states.length === 0 || (textOf(fields?.country) ?? 'AU') !== 'AU' || isMisplaced)
    errors.push(apiError('42001', { field }))
  return { postcode, states }
}
