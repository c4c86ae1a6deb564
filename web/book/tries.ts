import { problemOf } from '../shared/problem.ts'

/** The message for a failed attempt. Only the server knows whether it counts, and how many attempts are left. */
export type Tried = { isWrong: boolean; message: string }

export function triedOf(error: unknown): Tried {
  const { code, message, body } = problemOf(error)
  if (code !== 'reference_mismatch') return { isWrong: false, message: message }
  const left = typeof body.attempts_left === 'number' ? ` ${leftWords(body.attempts_left)}` : ''
  return { isWrong: true, message: `That is not the reference of this order.${left}` }
}

export function leftWords(left: number): string {
  return left === 1 ? '1 try left.' : `${left} tries left.`
}
