import type { VerifiedLinkAnswer } from '../shared/api.generated.ts'

/** What a customer who knows the order's number may see, and the session that they book with. */
export type Visit = VerifiedLinkAnswer['data'] & { untilMs: number }

const keyOf = (token: string) => `drover-link-${token.slice(-12)}`

/** Kept for this tab alone: going back, or reading the page anew, loses nothing. */
export function keepVisit(token: string, visit: Visit): void {
  sessionStorage.setItem(keyOf(token), JSON.stringify(visit))
}

export function keptVisit(token: string): Visit | null {
  try {
    const visit = JSON.parse(sessionStorage.getItem(keyOf(token)) ?? 'null') as Visit | null
    return visit && visit.untilMs > Date.now() ? visit : null
  } catch {
    return null
  }
}

export function forgetVisit(token: string): void {
  sessionStorage.removeItem(keyOf(token))
}
