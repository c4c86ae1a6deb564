import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import { INSTALLATION, type User } from '../../domain/people/user.ts'
import { callerOf, personOf } from '../../operations/people/user-session.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { notFound } from '../contract/problem.ts'
import type { Authenticated, Authenticator } from './admission.ts'
import { costOfRequest } from './cost-of-request.ts'
import { cookieOf, refuseRidden } from './same-origin.ts'

/**
 * `__Host-`: only by HTTPS or on this machine, only to this host, and no other host of the domain can set it.
 * Lax and not Strict: who comes by a link in a notification is logged in.
 */
const COOKIE = '__Host-drover-session'
const DEVICE = '__Host-drover-device-'
/** A quarter of a year after the last log-in; each one sets it anew. */
const DEVICE_LIFE_S = 90 * 24 * 3_600

/** A person's session stands in for a bearer wherever that opens something; a bearer wins. */
export function isByCookie({ headers }: FastifyRequest, { access }: Endpoint): boolean {
  return (
    headers.authorization === undefined &&
    headers.cookie !== undefined &&
    access !== 'public' &&
    access !== 'driver' &&
    headers.cookie.includes(`${COOKIE}=`)
  )
}

/**
 * Admits whoever is logged in to what an API client with the scopes and stores of the role may do, and operators to
 * every account. In the order of bearers: 401, 404, 403, 429; and 403 for a request that another site rides on.
 * Null for endpoints that are outside accounts.
 */
export async function admitPerson(
  deps: HttpDeps,
  gate: Authenticator,
  request: FastifyRequest,
  endpoint: Endpoint,
): Promise<Authenticated | null> {
  const { access, alsoAdmin } = endpoint
  const cost = costOfRequest(request, endpoint)
  gate.admitAnybody(request, cost)
  refuseRidden(deps, request)
  const person = await personOf(deps, personToken(request))
  request.person = person
  const { tenant_id: tenantId = '' } = request.params as { tenant_id?: string }
  if (access === 'operator') {
    if (person.role === 'operator') return null
    if (tenantId !== '' && tenantId !== person.accountId) throw notFound()
    if (alsoAdmin && person.role === 'merchant_admin') return null
    throw new Refusal('insufficient_scope', 'This is for operators.')
  }
  if (person.accountId !== INSTALLATION && person.accountId !== tenantId) throw notFound()
  const scope = access === 'document' ? 'deliveries:read' : access
  return gate.admitCaller(
    request,
    tenantId,
    scope === 'public' || scope === 'driver' ? null : scope,
    callerOf(person),
    cost,
  )
}

export function personToken(request: FastifyRequest): string | null {
  return cookieOf(request, COOKIE)
}

/** What a browser keeps of a person who has logged in with it: of each one, for one browser serves many clerks. */
export function deviceProof(request: FastifyRequest, userId: string): string | null {
  return cookieOf(request, `${DEVICE}${userId}`)
}

export function deviceCookie(userId: string, proof: string): string {
  return `${DEVICE}${userId}=${proof}; Path=/; Max-Age=${DEVICE_LIFE_S}; Secure; HttpOnly; SameSite=Strict`
}

/** Sets the session for as long as it can live, or with 0 takes it away. */
export function personCookie(token: string, lifeMs: number): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; Secure; HttpOnly; SameSite=Lax`
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is logged in, where that is who asks. */
    person: User | null
  }
}
