import type { VerifiedLinkAnswer } from '../shared/api.generated.ts'
import { answerOf, api } from '../shared/api.ts'

/** The order as a customer with its number may see it, and the session for the booking. */
export type Visit = VerifiedLinkAnswer['data'] & { untilMs: number }
/** The customer's preferences so far. */
export type Wishes = { leave: boolean; note: string }

/** Opens a session with the order number. Throws a Problem. */
export async function openVisit(token: string, reference: string): Promise<Visit> {
  const params = { path: { token } }
  const { data } = await answerOf(api.POST('/l/{token}/verify', { params, body: { reference } }))
  return { ...data, untilMs: Date.now() + data.expires_in * 1_000 }
}

/** Stored for this tab only: going back or reloading the page loses nothing. */
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

/** Stored apart from the session, which may expire while a customer is typing. */
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
