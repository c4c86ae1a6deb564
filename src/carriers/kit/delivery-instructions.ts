import type { Consignment } from '../port/carrier.ts'

/** The delivery conditions that the driver must keep at the address. */
export type Handover = Pick<Consignment, 'authorityToLeave' | 'signatureRequired' | 'idCheckRequired'>

/**
 * A required signature or ID check needs a person at the address, so both override the authority to leave.
 */
export function mayBeLeft({ authorityToLeave, signatureRequired, idCheckRequired }: Handover): boolean {
  return authorityToLeave && !signatureRequired && !idCheckRequired
}
