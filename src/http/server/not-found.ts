import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import type { Authenticator } from '../admission/admission.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { notFound } from '../contract/problem.ts'
import { addressMap } from './address-map.ts'

/**
 * What is told to a request that no endpoint takes: 405 where another method is served, else 404. Either only to those
 * who may know.
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
    // What is served, and was not routed, has a name that cannot be read or is longer than any of ours.
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
