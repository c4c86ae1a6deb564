import { toProblem } from '../shared/problem.ts'

/**
 * A new idempotency key for one intention of a user, so that a second press has no second effect. Works without
 * HTTPS too.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Whether the server rejected the request. It may have stored the rejection under the key, so the next attempt needs a
 * new key. After another error the outcome is unknown, and the next attempt needs the same key.
 */
export function isRejection(error: unknown): boolean {
  const { status, code } = toProblem(error)
  return status > 0 && status < 500 && code !== 'idempotency_in_progress'
}
