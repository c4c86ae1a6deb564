import { OPENID_LIFE_MS } from '../../../operations/people/openid-request.ts'

/**
 * Lax, because the provider sends the browser back from another site; `__Host-`, so that no other host can set it. A
 * browser has one login at a time.
 */
const COOKIES = { request: '__Host-drover-openid', pending: '__Host-drover-openid-code' } as const

export type OpenIdCookie = keyof typeof COOKIES

export function openIdCookieName(kind: OpenIdCookie): string {
  return COOKIES[kind]
}

export function openIdCookie(kind: OpenIdCookie, value: string): string {
  return `${COOKIES[kind]}=${value}; Path=/; Max-Age=${OPENID_LIFE_MS / 1_000}; Secure; HttpOnly; SameSite=Lax`
}

export function deletedOpenIdCookie(kind: OpenIdCookie): string {
  return `${COOKIES[kind]}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax`
}
