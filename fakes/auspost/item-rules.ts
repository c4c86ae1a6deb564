import { type ApiError, apiError } from './errors.ts'
import { type Fields, fieldsOf, flagOf, textOf } from './fields.ts'
import type { Product } from './products.ts'
import { missing } from './read-party.ts'

/** The goods that Express Post carries by air, by declaration code, as public plug-ins list them. */
const DECLARATIONS: readonly string[] = [
  'UN1845_DryIce_and_UN3373_BioSubstance_B',
  'UN2910_radioactive_excepted_limited_qty',
  'UN2911_radioactive_excepted_instruments_or_articles',
  'UN3091_Lithium_MetalAndAlloy_contained_in_equipment',
  'UN3373_BioSubstance_B',
  'UN3481_Lithium_IonOrPolymer_contained_in_equipment',
]

export function goodsErrors(
  fields: Fields,
  { productId, dangerousGoods }: Product,
  field: string,
): ApiError[] {
  if (!flagOf(fields.contains_dangerous_goods)) return []
  if (dangerousGoods === 'none') {
    const message = `The product ${productId} specified in an item has indicated that dangerous goods will be included in the parcel, however, the product does not allow dangerous goods to be sent using the service.`
    return [apiError('44003', { message, field })]
  }
  if (dangerousGoods === 'described') return []
  const declaration = textOf(fields.dangerous_goods_declaration)
  const path = `${field}.dangerous_goods_declaration`
  return [
    ...(flagOf(fields.transportable_by_air) === null ? [missing(`${field}.transportable_by_air`)] : []),
    ...(declaration === null ? [missing(path)] : []),
    ...(declaration !== null && !DECLARATIONS.includes(declaration)
      ? [apiError('400', { message: `${declaration} is not a dangerous goods declaration.`, field: path })]
      : []),
  ]
}

export function optionErrors(fields: Fields, product: Product, field: string): ApiError[] {
  const features = fieldsOf(fields.features)
  const left = flagOf(fields.authority_to_leave) === true
  const wrong =
    left &&
    (!product.authorityToLeave ||
      flagOf(fields.safe_drop_enabled) === false ||
      features?.IDENTITY_ON_DELIVERY !== undefined)
  return wrong ? [apiError('80002', { field })] : []
}

/** StarTrack calls it the unit type, and requires it. */
export function packagingErrors(fields: Fields, { network }: Product, field: string): ApiError[] {
  const path = `${field}.packaging_type`
  const packaging = textOf(fields.packaging_type)
  const atl = textOf(fields.atl_number)
  return [
    ...(network === 'startrack' && packaging === null ? [missing(path)] : []),
    ...(packaging !== null && packaging.length > 3
      ? [apiError('400', { message: 'A packaging type has no more than 3 letters.', field: path })]
      : []),
    ...(atl !== null && !/^C\d{9}$/.test(atl)
      ? [apiError('400', { message: 'An ATL number is C and 9 digits.', field: `${field}.atl_number` })]
      : []),
  ]
}
