import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import type { HttpDeps } from '../contract/deps.ts'

/**
 * Browsers set both headers themselves and pages cannot. Without either header, nothing proves that the request came
 * from our pages.
 */
export function isOurs({ publicUrl }: Pick<HttpDeps, 'publicUrl'>, { headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === new URL(publicUrl).origin
}

/**
 * CSRF protection: a request with a cookie may change something only if it came from our own pages. Throws
 * `cross_site_request`.
 */
export function refuseRidden(deps: HttpDeps, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD' || isOurs(deps, request)) return
  throw new Refusal(
    'cross_site_request',
    'The request has a session cookie but does not come from Drover’s own pages.',
  )
}

/** Login CSRF: a login is rejected if the browser says that it came from another site. */
export function refuseOtherSites(deps: HttpDeps, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if ((origin === undefined && site === undefined) || isOurs(deps, request)) return
  throw new Refusal('cross_site_request', 'This login does not come from Drover’s own pages.')
}

/** The value of a cookie as it was sent. */
export function findCookie({ headers }: FastifyRequest, name: string): string | null {
  const pair = headers.cookie?.split('; ').find((one) => one.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) ?? null
}
