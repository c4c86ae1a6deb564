import type { VerifiedLinkAnswer } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'

/** The order as a customer with its number may see it, and the session for the booking. */
export type BookingSession = VerifiedLinkAnswer['data'] & { untilMs: number }
/** The customer's preferences so far. */
export type Preferences = { leave: boolean; note: string }

/** Opens a session with the order number. Throws a Problem. */
export async function openSession(token: string, reference: string): Promise<BookingSession> {
  const params = { path: { token } }
  const { data } = await api.POST('/l/{token}/verify', { params, body: { reference } })
  return { ...data, untilMs: Date.now() + data.expires_in * 1_000 }
}

/** Stored for this tab only: going back or reloading the page loses nothing. */
export function saveSession(token: string, bookingSession: BookingSession): void {
  storeInTab(keyOf(token), bookingSession)
}

export function readSession(token: string): BookingSession | null {
  const bookingSession = readFromTab<BookingSession>(keyOf(token))
  return bookingSession && bookingSession.untilMs > Date.now() ? bookingSession : null
}

export function clearSession(token: string): void {
  storeInTab(keyOf(token), null)
}

/** Stored apart from the session, which may expire while a customer is typing. */
export function savePreferences(token: string, preferences: Preferences): void {
  storeInTab(preferencesKeyOf(token), preferences)
}

export function readPreferences(token: string): Preferences | null {
  return readFromTab<Preferences>(preferencesKeyOf(token))
}

export function clearPreferences(token: string): void {
  storeInTab(preferencesKeyOf(token), null)
}

function keyOf(token: string): string {
  return `drover-link-${token.slice(-12)}`
}

function preferencesKeyOf(token: string): string {
  return `drover-preferences-${token.slice(-12)}`
}

/** Null removes the value. If the browser blocks storage, a reload loses the value; the page works otherwise. */
function storeInTab(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The browser blocks storage.
  }
}

function readFromTab<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}
