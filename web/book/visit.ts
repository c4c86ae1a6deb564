import type { VerifiedLinkAnswer } from '../shared/api.generated.ts'
import { answerOf, api } from '../shared/api.ts'

/** What a customer who knows the order's number may see, and the session that they book with. */
export type Visit = VerifiedLinkAnswer['data'] & { untilMs: number }
/** What the customer would like, as far as it has been said. */
export type Wishes = { leave: boolean; note: string }

/** Shows that one knows the order's number. Throws a Problem. */
export async function openVisit(token: string, reference: string): Promise<Visit> {
  const params = { path: { token } }
  const { data } = await answerOf(api.POST('/l/{token}/verify', { params, body: { reference } }))
  return { ...data, untilMs: Date.now() + data.expires_in * 1_000 }
}

/** Kept for this tab alone: going back, or reading the page anew, loses nothing. */
export function keepVisit(token: string, visit: Visit): void {
  sessionStorage.setItem(keyOf(token), JSON.stringify(visit))
}

export function keptVisit(token: string): Visit | null {
  const visit = read<Visit>(keyOf(token))
  return visit && visit.untilMs > Date.now() ? visit : null
}

export function forgetVisit(token: string): void {
  sessionStorage.removeItem(keyOf(token))
}

/** Apart from the visit, which ends sooner than a customer has finished typing. */
export function keepWishes(token: string, wishes: Wishes): void {
  sessionStorage.setItem(wishesKeyOf(token), JSON.stringify(wishes))
}

export function keptWishes(token: string): Wishes | null {
  return read<Wishes>(wishesKeyOf(token))
}

export function forgetWishes(token: string): void {
  sessionStorage.removeItem(wishesKeyOf(token))
}

function keyOf(token: string): string {
  return `drover-link-${token.slice(-12)}`
}

function wishesKeyOf(token: string): string {
  return `drover-wishes-${token.slice(-12)}`
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}
