import type { Problem as ProblemBody } from './api.generated.ts'

/** A code of the API, or a failure without one: a page that compares with a code that does not exist does not compile. */
export type ProblemCode = ProblemBody['code'] | 'no_connection' | 'unknown'

/** An error response or a failure, with the server's message if it had one. */
export class Problem extends Error {
  /** 0: no response. */
  readonly status: number
  readonly code: ProblemCode
  readonly requestId: string | null
  readonly errors: readonly { field: string; message: string }[]
  readonly retryAfterSeconds: number | null
  /** Extra fields of some errors. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Partial<ProblemBody>, retryAfterSeconds: number | null = null) {
    super(body.detail ?? TEXTS[status] ?? 'Something went wrong on our side. Nothing you did before is lost.')
    this.status = status
    this.body = body
    this.code = body.code ?? (status === 0 ? 'no_connection' : 'unknown')
    this.requestId = body.request_id ?? null
    this.errors = body.errors ?? []
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const TEXTS: Readonly<Record<number, string>> = {
  0: 'The connection was lost. Check whether your last change was saved before you try again.',
  503: 'We can’t reach our database. Nothing you did before is lost.',
}

/** Any thrown value as a Problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  // Browsers report a failed request as a TypeError.
  return error instanceof TypeError ? new Problem(0, {}) : new Problem(500, {})
}
