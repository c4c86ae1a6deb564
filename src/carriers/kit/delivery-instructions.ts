import type { Consignment } from '../port/carrier.ts'

/** What binds whoever stands at the door. */
export type Handover = Pick<Consignment, 'authorityToLeave' | 'signatureRequired' | 'idCheckRequired'>

/** A signature or an identity wants somebody there: both are stronger than a wish to have it left. */
export function mayBeLeft({ authorityToLeave, signatureRequired, idCheckRequired }: Handover): boolean {
  return authorityToLeave && !signatureRequired && !idCheckRequired
}
