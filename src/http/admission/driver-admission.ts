import type { FastifyRequest } from 'fastify'
import { type Driver, getDriver } from '../../operations/own-couriers/driver-session.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { HttpResponse } from '../contract/endpoint.ts'
import { findCookie, refuseRidden } from './same-origin.ts'

/**
 * `__Host-`: sent over HTTPS (or on this machine) only, to this host only, and no other host of the domain can set it.
 */
const COOKIE = '__Host-drover-driver'

/**
 * Authenticates a driver. Throws `unauthorized`, and `cross_site_request` for a cookie on a request from another site.
 */
export async function admitDriver(deps: HttpDeps, request: FastifyRequest): Promise<Driver> {
  const { token, byCookie } = driverToken(request)
  if (byCookie) refuseRidden(deps, request)
  return getDriver(deps, token)
}

/**
 * Redirects a browser that opens the link of an SMS to the app, with the job in the URL's fragment, which no server log
 * contains.
 */
export function pageInstead(request: FastifyRequest): HttpResponse | null {
  if (request.endpoint?.answers[303] === undefined) return null
  if (!request.headers.accept?.includes('text/html')) return null
  const { job_id: job } = request.params as { job_id: string }
  const location = `/driver#/jobs/${encodeURIComponent(job)}`
  const headers = { location, 'content-type': 'text/html; charset=utf-8' }
  return { status: 303, headers, body: `<a href="${location.replaceAll('"', '%22')}">Go on</a>` }
}

/** The session token as it was sent; a bearer token takes precedence over the cookie. */
export function driverToken(request: FastifyRequest): { token: string | null; byCookie: boolean } {
  const { authorization = '' } = request.headers
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return { token: bearer, byCookie: false }
  const token = findCookie(request, COOKIE)
  return { token, byCookie: token !== null }
}

export function sessionCookie(token: string, lifeMs: number): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; Secure; HttpOnly; SameSite=Strict`
}
