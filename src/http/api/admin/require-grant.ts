import { Refusal } from '../../../domain/errors.ts'
import type { OwnerGrant } from '../../../domain/values.ts'
import type { RequestContext } from '../../contract/endpoint.ts'

/** The merchant's own admins may do this if the partner lets them. Throws a Refusal `not_granted`. */
export async function requireGrant(
  { deps, params, request }: Pick<RequestContext, 'deps' | 'params' | 'request'>,
  grant: OwnerGrant,
  message: string,
): Promise<void> {
  if (request.person?.role !== 'merchant_admin') return
  const grants = (await deps.accounts.find(params.tenant_id as string))?.account.ownerGrants ?? []
  if (!grants.includes(grant)) throw new Refusal('not_granted', message)
}
