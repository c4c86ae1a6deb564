import type { FastifyRequest } from 'fastify'
import { personEnrolling } from '../../operations/people/user-session.ts'
import type { Person } from '../../operations/tokens/user-token.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { RequestContext } from '../contract/endpoint.ts'
import { personToken } from './person-admission.ts'
import { refuseRidden } from './same-origin.ts'

type OwnSession = { person: Person; token: string }

/**
 * The logged-in user, also one who must still set up a second factor, for a change. Refuses `unauthorized` and
 * `cross_site_request`.
 */
export async function ownSession({
  deps,
  request,
}: {
  deps: HttpDeps
  request: FastifyRequest
}): Promise<OwnSession> {
  refuseRidden(deps, request)
  const token = personToken(request)
  return { person: await personEnrolling(deps, token), token: token ?? '' }
}

/** Writes the audit row of a change that the person makes to their own login. */
export function recordAsPerson(
  { audit }: Pick<RequestContext, 'audit'>,
  { userId }: Person,
): RequestContext['audit']['record'] {
  return (db, trace) => audit.record(db, trace && { ...trace, by: { kind: 'user', actor: userId } })
}
