import type { Network } from './products.ts'
import { optionsOf, PRODUCTS } from './products.ts'

/** A charge account: ten digits with Australia Post, eight with StarTrack. */
export type Account = {
  accountNumber: string
  network: Network
  name: string
  apiKey: string
  apiPassword: string
  /** First letters of its consignments. */
  locationId: string
  productIds: readonly string[]
  /** Where parcels may start; null is anywhere. */
  fromPostcodes: readonly string[] | null
  expired: boolean
  creditBlocked: boolean
  /** Dollars; null where the contract has no transit cover. */
  maximumCover: number | null
}

const BOTH = {
  apiKey: 'fake-key',
  apiPassword: 'fake-password',
  fromPostcodes: null,
  expired: false,
  creditBlocked: false,
  maximumCover: 5_000,
}

/** One key for both, as is possible in production. */
export const FIRST_ACCOUNTS: readonly Account[] = [
  {
    ...BOTH,
    accountNumber: '0000123456',
    network: 'auspost',
    name: 'Fake Merchant',
    locationId: 'FKE',
    productIds: idsOf('auspost'),
  },
  {
    ...BOTH,
    accountNumber: '10123456',
    network: 'startrack',
    name: 'Fake Merchant StarTrack',
    locationId: 'FKEZ',
    productIds: idsOf('startrack'),
  },
]

/** As in an account document. */
export const SIGN_IN = {
  api_key: BOTH.apiKey,
  password: BOTH.apiPassword,
  account_number: FIRST_ACCOUNTS.map(({ accountNumber, network }) =>
    network === 'startrack' ? `${accountNumber} (StarTrack)` : accountNumber,
  ).join(' or '),
}

export function idsOf(network: Network): string[] {
  return PRODUCTS.filter((product) => product.network === network).map(({ productId }) => productId)
}

/** Cover that every item includes, and the price of more, as a percentage of it. */
export const COVER = { includedDollars: 100, ratePercent: 1.5 }

/** The answer of `GET /accounts/{account_number}`. */
export function accountAnswer(account: Account) {
  const valid_to = account.expired ? '2015-01-31' : '2999-12-31'
  return {
    account_number: account.accountNumber,
    name: account.name,
    valid_from: '2014-02-24',
    valid_to,
    expired: account.expired,
    addresses: [
      {
        type: 'MERCHANT_LOCATION',
        lines: ['1 Main Street'],
        suburb: 'MELBOURNE',
        postcode: account.fromPostcodes?.[0] ?? '3000',
        state: 'VIC',
      },
    ],
    details: {
      abn: '11111111111',
      acn: '111111111',
      contact_number: '0300000000',
      email_address: 'merchant@example.com',
      lodgement_postcode: account.fromPostcodes?.[0] ?? '3000',
    },
    postage_products: PRODUCTS.filter(({ productId }) => account.productIds.includes(productId)).map(
      (product) => ({
        type: product.type,
        group: product.group,
        product_id: product.productId,
        contract: {
          valid_from: '2014-02-24',
          valid_to,
          expired: account.expired,
          volumetric_pricing: !product.flatRate,
          max_item_count: 0,
          cubing_factor: 250,
        },
        authority_to_leave_threshold: 500,
        ...(account.maximumCover === null ? {} : { features: { TRANSIT_COVER: coverOffer(account) } }),
        options: optionsOf(product),
      }),
    ),
    merchant_location_id: account.locationId,
    credit_blocked: account.creditBlocked,
  }
}

function coverOffer({ maximumCover }: Account) {
  return {
    type: 'TRANSIT_COVER',
    attributes: {
      rate: COVER.ratePercent,
      included_cover: COVER.includedDollars,
      maximum_cover: maximumCover,
    },
    bundled: true,
  }
}
