import type { Problem as ProblemBody } from './api.generated.ts'

/** An error response or a failure, with the server's message if it had one. */
export class Problem extends Error {
  /** 0: no response. */
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly errors: readonly { field: string; message: string }[]
  readonly retryAfterSeconds: number | null
  /** Extra fields of some errors. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Partial<ProblemBody>, retryAfter: string | null = null) {
    super(body.detail ?? TEXTS[status] ?? 'Something of ours failed. Nothing that you did before is lost.')
    this.status = status
    this.body = body
    this.code = body.code ?? (status === 0 ? 'no_connection' : 'unknown')
    this.requestId = body.request_id ?? null
    this.errors = body.errors ?? []
    this.retryAfterSeconds = secondsOf(retryAfter)
  }
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

const TEXTS: Readonly<Record<number, string>> = {
  0: 'The connection broke off. Look before you do anything again.',
  503: 'We cannot reach our records. Nothing that you did before is lost.',
}

/** Any thrown value as a Problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  // Browsers report a failed request as a TypeError.
  return error instanceof TypeError ? new Problem(0, {}) : new Problem(500, {})
}
