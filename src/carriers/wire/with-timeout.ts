import type { CarrierResponse, Send } from '../port/send.ts'

/**
 * Time-out: waits at most `timeoutMs` for an answer. A later answer is dropped: the outcome already counts as
 * unknown.
 */
export function withTimeout(send: Send, timeoutMs: number): Send {
  return async (request) => {
    const { promise, resolve } = Promise.withResolvers<CarrierResponse>()
    const timer = setTimeout(() => {
      resolve({ kind: 'no_answer', message: `no answer within ${timeoutMs / 1000} s` })
    }, timeoutMs)
    try {
      return await Promise.race([send(request), promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
