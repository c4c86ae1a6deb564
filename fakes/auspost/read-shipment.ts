import type { Account } from './accounts.ts'
import { type ApiError, apiError } from './errors.ts'
import { type Fields, fieldsOf, flagOf, listOf, textOf } from './fields.ts'
import { readItem } from './read-item.ts'
import { missing, readParty } from './read-party.ts'
import type { ItemDraft, ShipmentDraft } from './state.ts'

export type ShipmentWanted = {
  account: Account
  /** `shipments[0]`, or empty when the body is the shipment. */
  field: string
  /** A price needs only places. */
  whole: boolean
}

/** Maximum for Australia Post's domestic despatches. */
const MAX_ITEMS = 20
const DESCRIPTION = [
  'un_number',
  'technical_name',
  'net_weight',
  'class_division',
  'outer_packaging_type',
  'outer_packaging_quantity',
] as const

/** Parses a shipment and adds its errors. Null when it cannot be carried. */
export function readShipment(
  value: unknown,
  wanted: ShipmentWanted,
  errors: ApiError[],
): ShipmentDraft | null {
  const { account, whole } = wanted
  const path = (name: string) => (wanted.field === '' ? name : `${wanted.field}.${name}`)
  const fields = fieldsOf(value)
  if (!fields) {
    errors.push(missing(path('items')))
    return null
  }
  const before = errors.length
  const from = readParty(fields.from, { field: path('from'), whole }, errors)
  const to = readParty(fields.to, { field: path('to'), whole }, errors)
  if ((textOf(fieldsOf(fields.to)?.country) ?? 'AU') !== 'AU')
    errors.push(apiError('42002', { field: path('to.country') }))
  // Email tracking requires an address.
  if (flagOf(fields.email_tracking_enabled) && textOf(fieldsOf(fields.to)?.email) === null)
    errors.push(missing(path('to.email')))
  if (from && account.fromPostcodes && !account.fromPostcodes.includes(from.postcode))
    errors.push(apiError('41007', { field: path('from.postcode') }))

  const returned = textOf(fields.movement_type)?.startsWith('RETURN') ?? false
  const list = listOf(fields.items)
  if (list.length === 0) errors.push(missing(path('items')))
  if (account.network === 'auspost' && list.length > MAX_ITEMS)
    errors.push(
      apiError('44031', {
        message: `A shipment cannot contain more than ${MAX_ITEMS} items.`,
        field: path('items'),
      }),
    )
  const items = list
    .map((item, index) => readItem(item, { account, field: path(`items[${index}]`), returned }, errors))
    .filter((item) => item !== null)
  errors.push(...trackingErrors(items, list.length, path), ...referenceErrors(fields, path))
  const dangerousGoods = fieldsOf(listOf(fields.dangerous_goods)[0])
  if (whole) errors.push(...descriptionErrors(items, dangerousGoods, path))
  if (errors.length > before || !from || !to) return null
  return {
    reference: textOf(fields.shipment_reference),
    senderReferences: referencesOf(fields),
    emailTracking: flagOf(fields.email_tracking_enabled) ?? false,
    movementType: textOf(fields.movement_type) ?? 'DESPATCH',
    despatchDate: textOf(fields.despatch_date),
    from,
    to,
    dangerousGoods,
    items,
  }
}

/** The two customer references are the older form of the first two entries of the list. */
function referencesOf(fields: Fields): string[] {
  const list = Array.isArray(fields.sender_references)
    ? fields.sender_references
    : [fields.customer_reference_1, fields.customer_reference_2]
  return list.map(textOf).filter((reference) => reference !== null)
}

function referenceErrors(fields: Fields, path: (name: string) => string): ApiError[] {
  const own = (textOf(fields.shipment_reference) ?? '').length > 50
  return [
    ...(own ? [apiError('44010', { field: path('shipment_reference') })] : []),
    ...(referencesOf(fields).some((reference) => reference.length > 50)
      ? [apiError('43009', { field: path('sender_references') })]
      : []),
  ]
}

/** StarTrack requires a description of the contents; one for the whole shipment. */
function descriptionErrors(
  items: readonly ItemDraft[],
  description: Fields | null,
  path: (name: string) => string,
): ApiError[] {
  if (!items.some((item) => item.dangerousGoods && item.product.dangerousGoods === 'described')) return []
  if (!description) return [missing(path('dangerous_goods'))]
  return DESCRIPTION.filter((name) => textOf(description[name]) === null).map((name) =>
    missing(path(`dangerous_goods.${name}`)),
  )
}

function trackingErrors(
  items: readonly ItemDraft[],
  count: number,
  path: (name: string) => string,
): ApiError[] {
  const own = items.map(({ tracking }) => tracking).filter((tracking) => tracking !== null)
  if (own.length === 0) return []
  if (own.length < count) return [apiError('44002', { field: path('items') })]
  const barcodes = own.filter(({ barcodeId }) => barcodeId !== null).length
  const articles = new Set(own.map(({ articleId }) => articleId))
  return [
    ...(barcodes > 0 && barcodes < count ? [apiError('43017', { field: path('items') })] : []),
    ...(articles.size < own.length ? [apiError('44005', { field: path('items') })] : []),
  ]
}
