import { Refusal } from '../../../domain/errors.ts'
import type { RequestContext } from '../../contract/endpoint.ts'

/** The merchant's own admins set up carriers if the partner lets them. Throws a Refusal `not_granted`. */
export function requireCarrierGrant(
  { deps, params, request }: Pick<RequestContext, 'deps' | 'params' | 'request'>,
  message: string,
): void {
  if (request.person?.role !== 'merchant_admin') return
  const grants = deps.accounts.find(params.tenant_id as string)?.account.ownerGrants ?? []
  if (!grants.includes('carriers')) throw new Refusal('not_granted', message)
}
