import { type ProblemCode, toProblem } from '../shared/problem.ts'

/**
 * A new idempotency key for one intention of a user, so that a second press has no second effect. Works without
 * HTTPS too.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Not logged in, too slow, too many requests: these say nothing about an earlier attempt, and are never stored. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([401, 408, 429])

/**
 * Whether the server rejected the request. It may have stored the rejection under the key, so the next attempt needs a
 * new key. After another error the outcome is unknown, and the next attempt needs the same key.
 */
export function isRejection(error: unknown): boolean {
  const { status, code } = toProblem(error)
  return status > 0 && status < 500 && !SAYS_NOTHING.has(status) && code !== 'idempotency_in_progress'
}

/** The server's own messages for these codes are for developers. */
const EARLIER_TRY: Partial<Record<ProblemCode, string>> = {
  // The person has changed the form after a try whose response was lost.
  idempotency_key_reused: 'Your first try may have worked. Check the list before you try again.',
  idempotency_in_progress: 'We’re still working on your first try. Wait a moment, then check the list.',
}

/** The message of an error, also for a press after one whose response was lost. */
export function toMessage(error: unknown): string {
  const { code, message } = toProblem(error)
  return EARLIER_TRY[code] ?? message
}
