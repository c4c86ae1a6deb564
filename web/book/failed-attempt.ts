import { toProblem } from '../shared/problem.ts'

/** The message for a failed attempt. Only the server knows whether it counts, and how many attempts are left. */
export type FailedAttempt = { isWrong: boolean; message: string }

export function toFailedAttempt(error: unknown): FailedAttempt {
  const { code, message, body } = toProblem(error)
  if (code !== 'reference_mismatch') return { isWrong: false, message: message }
  const left = typeof body.attempts_left === 'number' ? ` ${formatAttemptsLeft(body.attempts_left)}` : ''
  return { isWrong: true, message: `That is not the reference of this order.${left}` }
}

export function formatAttemptsLeft(left: number): string {
  return left === 1 ? '1 try left.' : `${left} tries left.`
}
