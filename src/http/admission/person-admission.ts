import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import { INSTALLATION, type User } from '../../domain/people/user.ts'
import { getPerson, toCaller } from '../../operations/people/user-session.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { notFound } from '../contract/problem.ts'
import type { Authenticated, Authenticator } from './admission.ts'
import { costOfRequest } from './cost-of-request.ts'
import { findCookie, refuseRidden } from './same-origin.ts'

/**
 * `__Host-`: sent over HTTPS (or on this machine) only, to this host only, and no other host of the domain can set it.
 * Lax rather than Strict, so that a person who follows a link in a notification is logged in.
 */
const COOKIE = '__Host-drover-session'
const DEVICE = '__Host-drover-device-'
/** 90 days after the last login; each login renews it. */
const DEVICE_LIFE_S = 90 * 24 * 3_600

/** A person's session replaces a bearer token wherever the endpoint accepts one; a bearer token takes precedence. */
export function isByCookie({ headers }: FastifyRequest, { access }: Endpoint): boolean {
  return (
    headers.authorization === undefined &&
    headers.cookie !== undefined &&
    access !== 'public' &&
    access !== 'driver' &&
    access !== 'client' &&
    headers.cookie.includes(`${COOKIE}=`)
  )
}

/**
 * Admits a logged-in person with the scopes and stores of their role, and operators to every account. Checks run in the
 * order of bearer tokens: 401, 404, 403, 429; and 403 for a request from another site. Null for endpoints outside
 * accounts.
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
  const person = await getPerson(deps, personToken(request))
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
    scope === 'public' || scope === 'driver' || scope === 'client' ? null : scope,
    toCaller(person),
    cost,
  )
}

export function personToken(request: FastifyRequest): string | null {
  return findCookie(request, COOKIE)
}

/**
 * The browser's proof that this person has logged in with it before. One per person, because several clerks share a
 * browser.
 */
export function deviceProof(request: FastifyRequest, userId: string): string | null {
  return findCookie(request, `${DEVICE}${userId}`)
}

export function deviceCookie(userId: string, proof: string): string {
  return `${DEVICE}${userId}=${proof}; Path=/; Max-Age=${DEVICE_LIFE_S}; Secure; HttpOnly; SameSite=Strict`
}

/** Sets the session cookie for its maximum lifetime; 0 deletes it. */
export function personCookie(token: string, lifeMs: number): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; Secure; HttpOnly; SameSite=Lax`
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The person who is logged in, if the caller is a person. */
    person: User | null
  }
}
