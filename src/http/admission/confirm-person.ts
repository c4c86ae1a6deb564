import { Refusal } from '../../domain/errors.ts'
import type { User } from '../../domain/people/user.ts'
import { INSTALLATION } from '../../domain/people/user.ts'
import { type Credentials, confirmIdentity } from '../../operations/people/check-second-factor.ts'
import type { RequestContext, TenantRequest } from '../contract/endpoint.ts'

/**
 * Before a logged-in person gives lasting access to an account, they type their password and code again: whoever has
 * only their session must not make an access that outlives it. Bearer tokens have no password.
 */
export async function confirmPerson(
  { deps, request }: Pick<RequestContext, 'deps' | 'request'>,
  credentials: Credentials | undefined,
): Promise<void> {
  const person: User | null = request.person
  if (person) await confirmIdentity(deps, person, credentials ?? {})
}

/**
 * People's access is changed by people, and by the installation's own clients. A client that an account's admin made
 * must not give its maker an access that they no longer have. Refuses `person_required`.
 */
export function requirePersonOrOperator({
  request,
  entry,
  caller,
}: Pick<TenantRequest, 'request' | 'entry' | 'caller'>): void {
  if (request.person) return
  const owner = entry.clients.get(caller.clientId)?.owner ?? null
  if (owner === null || owner.accountId === INSTALLATION) return
  throw new Refusal(
    'person_required',
    'This API client belongs to a user of the account, so it cannot change who has access. Log in and do it yourself, or ask the operator for a client.',
  )
}
