import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import type { Authenticator } from '../admission/admission.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { notFound } from '../contract/problem.ts'
import { addressMap } from './address-map.ts'

/**
 * The error for a request that matches no endpoint: 405 if the URL supports another method, otherwise 404. Both only
 * after the client is admitted.
 */
export function refusalOfUnknownAddress(
  gate: Authenticator,
  endpoints: readonly Pick<Endpoint, 'method' | 'url'>[],
): (request: FastifyRequest) => Refusal {
  const { allowedAt, isOutsideAccounts } = addressMap(endpoints)
  return (request) => {
    const path = request.url.split('?', 1)[0] as string
    const segments = path.split('/')
    const first = decoded(segments[1] ?? '')
    try {
      if (first === 'admin') gate.admitOperator(request)
      else if (segments.length < 3 || isOutsideAccounts(first)) gate.admitAnybody(request)
      else gate.admit(request, first, null)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    const allow = allowedAt(path)
    // If the method is served but was not routed, a parameter cannot be decoded or is too long to exist.
    if (allow.length === 0 || allow.includes(request.method)) return notFound()
    return new Refusal('method_not_allowed', `${request.method} is not served here.`, {
      details: { allow: allow.join(', ') },
    })
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
