import type { Account } from '../account/account.ts'
import { parseTimestamp, toInstantMs } from '../calendar/timestamp.ts'
import type { Issue } from '../errors.ts'
import { rawStore } from '../quoting/resolve/pre-schema-checks.ts'
import type { ResolveContext } from '../quoting/resolve/resolve-quote.ts'
import { record, text } from '../untyped-json.ts'

/** Rejects a link that has already expired. Both times in epoch milliseconds; null: it never expires. */
export function expiryIssues(expiresAtMs: number | null, nowMs: number): Issue[] {
  if (expiresAtMs === null || expiresAtMs > nowMs) return []
  const message = 'expires_at is in the past. Use a later time.'
  return [{ field: 'expires_at', issue: 'out_of_range', message }]
}

/** The same for a body that its schema rejected. */
export function rawExpiryIssues(account: Account, body: unknown, { sight, nowMs }: ResolveContext): Issue[] {
  const expiresAt = parseTimestamp(text(record(body).expires_at) ?? '')
  const zone = rawStore(account, body, sight)?.zone ?? account.zone
  return expiryIssues(expiresAt && toInstantMs(expiresAt, zone), nowMs)
}
