import { type Account, COVER } from './accounts.ts'
import { type ApiError, apiError } from './errors.ts'
import { type Fields, fieldsOf, numberOf, textOf } from './fields.ts'
import { bundledCents, coverCents, dollars, freightCents, gstCents, type Measures } from './prices.ts'
import { optionsOf, type Product, productOf } from './products.ts'

/** A product that cannot carry the item is a warning; the others are priced. */
export function itemPrices(account: Account, fields: Fields, measures: Measures, interstate: boolean) {
  const asked = Array.isArray(fields.product_ids) ? fields.product_ids.map(String) : account.productIds
  const dollarsOfCover = numberOf(
    fieldsOf(fieldsOf(fieldsOf(fields.features)?.TRANSIT_COVER)?.attributes)?.cover_amount,
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
    ...(textOf(fields.item_reference) === null ? {} : { item_reference: textOf(fields.item_reference) }),
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
