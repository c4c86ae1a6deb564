import type { Account } from './accounts.ts'
import { type ApiError, apiError, type ErrorCode } from './errors.ts'
import { type Fields, fieldsOf, flagOf, numberOf, textOf } from './fields.ts'
import { goodsErrors, optionErrors, packagingErrors } from './item-rules.ts'
import type { Measures } from './prices.ts'
import { type Product, productOf } from './products.ts'
import { missing } from './read-party.ts'
import type { ItemDraft, Tracking } from './state.ts'

/** Australia Post's limits, in centimetres and cubic metres; StarTrack carries larger items. */
const MAX_CM = 105
const MAX_M3 = 0.25
const MIN_CM = 5
const UNWEIGHED_KG = 0.5

/** Parses an item and adds its errors. Null when it is invalid. */
export function readItem(
  value: unknown,
  { account, field, returned }: { account: Account; field: string; returned: boolean },
  errors: ApiError[],
): ItemDraft | null {
  const fields = fieldsOf(value)
  const productId = textOf(fields?.product_id)
  if (!fields || productId === null) {
    errors.push(missing(`${field}.product_id`))
    return null
  }
  const product = account.productIds.includes(productId) ? productOf(productId) : undefined
  if (!product) {
    const message = `The product ${productId} specified in an item is not available on the contract.`
    errors.push(apiError('42012', { message, field, context: { product_id: productId } }))
    return null
  }
  // The network weighs returned items.
  const weighed = returned && numberOf(fields.weight) === null ? { ...fields, weight: UNWEIGHED_KG } : fields
  const measures = readMeasures(weighed, product, field, errors)
  const coverDollars = readCover(fields, account, field, errors)
  errors.push(
    ...goodsErrors(fields, product, field),
    ...optionErrors(fields, product, field),
    ...packagingErrors(fields, product, field),
  )
  if ((textOf(fields.item_reference) ?? '').length > 50)
    errors.push(apiError('44010', { field: `${field}.item_reference` }))
  const tracking = readTracking(fields, field, errors)
  if (!measures) return null
  const atl = flagOf(fields.authority_to_leave) ?? false
  return {
    itemId: textOf(fields.item_id),
    reference: textOf(fields.item_reference),
    description: textOf(fields.item_description),
    product,
    measures,
    packagingType: textOf(fields.packaging_type),
    authorityToLeave: atl,
    allowPartialDelivery: flagOf(fields.allow_partial_delivery) ?? true,
    safeDropEnabled: flagOf(fields.safe_drop_enabled) ?? atl,
    dangerousGoods: flagOf(fields.contains_dangerous_goods) ?? false,
    features: fieldsOf(fields.features),
    coverDollars,
    tracking,
  }
}

/** The limits of any item; `prices/items` names no product. */
export function readMeasures(
  fields: Fields,
  product: Pick<Product, 'network' | 'flatRate' | 'maxKg'>,
  field: string,
  errors: ApiError[],
): Measures | null {
  const weightKg = numberOf(fields.weight)
  const [lengthCm, widthCm, heightCm] = ['length', 'width', 'height'].map((side) => numberOf(fields[side]))
  const sides = [lengthCm, widthCm, heightCm].filter((side) => side !== null && side !== undefined)
  if (product.flatRate && sides.length > 0) errors.push(apiError('44043', { field }))
  const required = product.flatRate
    ? {}
    : { weight: weightKg, length: lengthCm, width: widthCm, height: heightCm }
  const absent = Object.entries(required).filter(([, found]) => !((found ?? 0) > 0))
  for (const [name] of absent) errors.push(missing(`${field}.${name}`))
  if (absent.length > 0) return null

  const measures = {
    weightKg: weightKg ?? UNWEIGHED_KG,
    lengthCm: lengthCm ?? null,
    widthCm: widthCm ?? null,
    heightCm: heightCm ?? null,
  }
  for (const [code, wrong] of boundsOf(measures, product)) if (wrong) errors.push(apiError(code, { field }))
  return measures
}

function boundsOf(
  { weightKg, lengthCm, widthCm, heightCm }: Measures,
  { network, flatRate, maxKg }: Pick<Product, 'network' | 'flatRate' | 'maxKg'>,
): (readonly [ErrorCode, boolean])[] {
  const heavy = ['42010', weightKg > maxKg] as const
  if (network === 'startrack' || flatRate) return [heavy]
  const [length, width, height] = [lengthCm ?? 0, widthCm ?? 0, heightCm ?? 0]
  return [
    ['42006', width > MAX_CM],
    ['42007', height > MAX_CM],
    ['42008', length > MAX_CM],
    ['42009', (length * width * height) / 1_000_000 > MAX_M3],
    heavy,
    ['42011', [length, width, height].filter((side) => side < MIN_CM).length > 1],
  ]
}

function readCover(fields: Fields, account: Account, field: string, errors: ApiError[]): number {
  const cover = fieldsOf(fieldsOf(fields.features)?.TRANSIT_COVER)
  if (!cover) return 0
  const dollars = numberOf(fieldsOf(cover.attributes)?.cover_amount)
  if (dollars === null) errors.push(missing(`${field}.features.TRANSIT_COVER.attributes.cover_amount`))
  else if (account.maximumCover === null) errors.push(apiError('46001', { field }))
  else if (dollars > account.maximumCover) errors.push(apiError('46000', { field }))
  return dollars ?? 0
}

/** Callers that print their own labels supply the ids. */
function readTracking(fields: Fields, field: string, errors: ApiError[]): Tracking | null {
  const tracking = fieldsOf(fields.tracking_details)
  const [articleId, consignmentId] = [textOf(tracking?.article_id), textOf(tracking?.consignment_id)]
  if (!tracking || articleId === null || consignmentId === null) return null
  if (!/^[A-Z0-9]{1,30}$/.test(articleId)) {
    const message = `The article id ${articleId} is not made of capitals and digits.`
    errors.push(apiError('400', { message, field: `${field}.tracking_details.article_id` }))
  }
  return { articleId, consignmentId, barcodeId: textOf(tracking.barcode_id) }
}
