import type { DeliveryMode, DeliveryType } from '../../domain/values.ts'
import type { Barcodes } from '../barcode-content.ts'

/** One delivery with the data of its labels. `from` and `to` are in the direction of travel. */
export type Label = {
  carrierName: string
  serviceName: string
  /** The code that the carrier sorts by, set in the band. */
  serviceCode: string
  deliveryType: DeliveryType
  consignmentNumber: string
  deliveryId: string
  reference: string
  /** Prints `TEST – do not carry`. */
  sandbox: boolean
  mode: DeliveryMode
  from: Party
  to: Party
  authorityToLeave: boolean
  authorityToLeaveRefusedBecause: string | null
  signatureRequired: boolean
  idCheckRequired: boolean
  specialInstructions: string | null
  pickupInstructions: string | null
  /** `2026-11-24`. */
  despatchDate: string
  /** The window, the IANA zone whose clock says it, and that of the place where the label is printed. */
  window: { fromMs: number; toMs: number; zone: string; reader: string }
  /** One label each. */
  articles: readonly LabelArticle[]
}

export type Party = {
  name: string
  company: string | null
  phone: string | null
  lines: readonly string[]
  suburb: string
  state: string
  postCode: string
  country: string
}

export type LabelArticle = {
  articleId: string
  number: number
  of: number
  parcelReference: string
  description: string | null
  weightKg: number
  lengthCm: number
  widthCm: number
  heightCm: number
  barcodes: Barcodes
  dangerousGoods: {
    unNumber: string
    properShippingName: string
    classDivision: string
    packingGroup: string | null
  } | null
}
