import { HIGH_VALUE_CENTS } from '../values.ts'
import type { DeliveryContent } from './delivery.ts'

/**
 * How a parcel may be handed over: authority to leave (safe drop), signature on delivery, and proof of age (ID check,
 * age check). Says why the merchant's preference was overruled, if it was.
 */
export type HandoverTerms = {
  authorityToLeave: boolean
  authorityToLeaveRefusedBecause: string | null
  signatureRequired: boolean
  idCheckRequired: boolean
}

/** The fields that decide it, of a delivery or of a job that is only quoted. */
export type Handover = Pick<DeliveryContent, 'authorityToLeave' | 'productTypes' | 'priceCentsTotalValue'> & {
  parcels: readonly { containsDangerousGoods: boolean }[]
  address: { business: boolean }
}

/** Reasons that override the merchant's authority to leave, strongest first. */
const REFUSALS: readonly { reason: string; applies: (content: Handover) => boolean }[] = [
  { reason: 'the goods may only be handed to an adult', applies: (content) => needsAdult(content) },
  {
    reason: 'the parcels hold dangerous goods',
    applies: (content) => content.parcels.some((parcel) => parcel.containsDangerousGoods),
  },
  { reason: 'the goods are of high value', applies: (content) => isHighValue(content) },
  { reason: 'the address is a business', applies: (content) => content.address.business },
]

/** The instructions for the driver. Without the merchant's authority to leave, ordinary goods need no signature. */
export function handoverTerms(content: Handover): HandoverTerms {
  const refusal = REFUSALS.find((rule) => rule.applies(content))
  const mayLeave = content.authorityToLeave === true
  return {
    authorityToLeave: mayLeave && !refusal,
    authorityToLeaveRefusedBecause: mayLeave && refusal ? refusal.reason : null,
    signatureRequired: refusal !== undefined,
    idCheckRequired: needsAdult(content),
  }
}

/** A sentence for the merchant and the clerk if the merchant's authority to leave was overruled, otherwise null. */
export function authorityToLeaveWarning(content: Handover): string | null {
  const { authorityToLeaveRefusedBecause: reason } = handoverTerms(content)
  return (
    reason && `The order gives authority to leave, but the driver must get a signature, because ${reason}.`
  )
}

function needsAdult({ productTypes }: Handover): boolean {
  return Boolean(
    productTypes.alcohol ||
      productTypes.tobacco ||
      productTypes.prescription_meds_s4 ||
      productTypes.prescription_meds_s8,
  )
}

function isHighValue({ productTypes, priceCentsTotalValue }: Handover): boolean {
  return Boolean(productTypes.high_value) || (priceCentsTotalValue ?? 0) > HIGH_VALUE_CENTS
}
