/** The network that carries it; an account belongs to one of them. */
export type Network = 'auspost' | 'startrack'

export type Product = {
  productId: string
  type: string
  /** The group that labels are requested by. */
  group: 'Parcel Post' | 'Express Post' | 'StarTrack'
  network: Network
  signature: boolean
  authorityToLeave: boolean
  /**
   * `air`: requires a declaration of the contents; `described`: requires the shipment's `dangerous_goods`
   * object.
   */
  dangerousGoods: 'none' | 'air' | 'described'
  /** One price whatever the size: dimensions are an error. */
  flatRate: boolean
  maxKg: number
  /**
   * Cents with GST for the first kilogram, within the state and beyond it; then for each further kilogram or
   * part of one.
   */
  inStateCents: number
  interstateCents: number
  furtherKgCents: number
}

const PARCEL = {
  group: 'Parcel Post',
  network: 'auspost',
  dangerousGoods: 'none',
  authorityToLeave: true,
  flatRate: false,
  maxKg: 22,
  inStateCents: 845,
  interstateCents: 1_120,
  furtherKgCents: 85,
} as const
const EXPRESS = {
  ...PARCEL,
  group: 'Express Post',
  dangerousGoods: 'air',
  inStateCents: 1_190,
  interstateCents: 1_640,
  furtherKgCents: 165,
} as const
const STARTRACK = {
  group: 'StarTrack',
  network: 'startrack',
  dangerousGoods: 'described',
  signature: false,
  authorityToLeave: true,
  flatRate: false,
  maxKg: 1_000,
  inStateCents: 1_380,
  interstateCents: 1_990,
  furtherKgCents: 95,
} as const

/** Product ids depend on the contract; these are from public samples. Prices are ours. */
export const PRODUCTS: readonly Product[] = [
  { ...PARCEL, productId: 'T28', type: 'PARCEL POST', signature: false },
  { ...PARCEL, productId: 'T28S', type: 'PARCEL POST + SIGNATURE', signature: true, inStateCents: 1_140 },
  { ...PARCEL, productId: '3D55', type: 'PARCEL POST + SIGNATURE', signature: true, inStateCents: 1_140 },
  { ...PARCEL, productId: '7D55', type: 'PARCEL POST + SIGNATURE', signature: true, inStateCents: 1_140 },
  { ...PARCEL, productId: 'PR', type: 'EPARCEL POST RETURNS', signature: false },
  { ...EXPRESS, productId: 'E34', type: 'EXPRESS POST', signature: false },
  { ...EXPRESS, productId: 'E34S', type: 'EXPRESS POST + SIGNATURE', signature: true, inStateCents: 1_485 },
  { ...EXPRESS, productId: '3J55', type: 'EXPRESS POST + SIGNATURE', signature: true, inStateCents: 1_485 },
  { ...EXPRESS, productId: 'XPR', type: 'EXPRESS EPARCEL POST RETURNS', signature: false },
  { ...PARCEL, productId: 'FLAT', type: 'PARCEL POST FLAT RATE', signature: false, flatRate: true, maxKg: 5 },
  { ...STARTRACK, productId: 'EXP', type: 'ROAD EXPRESS' },
  { ...STARTRACK, productId: 'PRM', type: 'PREMIUM', inStateCents: 2_450, interstateCents: 3_680 },
  { ...STARTRACK, productId: 'FPP', type: 'FIXED PRICE PREMIUM', dangerousGoods: 'none', maxKg: 5 },
]

export function productOf(productId: string): Product | undefined {
  return PRODUCTS.find((product) => product.productId === productId)
}

/** The options of a product, in the API's words. */
export function optionsOf({ signature, authorityToLeave, dangerousGoods }: Product) {
  return {
    signature_on_delivery_option: signature,
    authority_to_leave_option: authorityToLeave,
    dangerous_goods_allowed: dangerousGoods !== 'none',
  }
}
