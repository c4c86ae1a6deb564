import type { FieldError, Problem } from './types.generated.ts'

/** Of a token request (RFC 6749, section 5.2); `invalid_request` is also a code of the API. */
type TokenErrorCode = 'invalid_client' | 'invalid_scope' | 'unsupported_grant_type'

/**
 * The API's own codes, those of a token request, and three of the client: no answer, an answer too late, an answer that
 * is not the API's.
 */
export type DroverErrorCode =
  | Problem['code']
  | TokenErrorCode
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_answer'

type Details = {
  status?: number
  problem?: Problem
  requestId?: string | null
  retryAfterMs?: number | null
  cause?: unknown
}

/** A request that failed, after its retries. `code` says why; `/docs/errors` of any installation explains each. */
export class DroverError extends Error {
  override readonly name = 'DroverError'
  readonly code: DroverErrorCode
  /** HTTP status; null if there was no answer. */
  readonly status: number | null
  /** One entry for each wrong field; usually empty. */
  readonly errors: readonly FieldError[]
  /** For the operator: it finds the request in the logs. */
  readonly requestId: string | null
  /** How long the API asked to wait; null if it did not. */
  readonly retryAfterMs: number | null
  /** The whole answer (RFC 9457), with the details of its code, such as `delivery_id`. */
  readonly problem: Problem | null

  constructor(code: DroverErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.problem = details.problem ?? null
    this.errors = details.problem?.errors ?? []
    this.requestId = details.requestId ?? details.problem?.request_id ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

/** The error of an answer that is not 2xx. A proxy's answer has no code of ours. */
export function toDroverError(response: Response, text: string): DroverError {
  const answer = parseObject(text)
  const problem = toProblem(answer)
  const details = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: toRetryAfterMs(response.headers.get('retry-after')),
    ...(problem && { problem }),
  }
  if (!problem) {
    const { error, error_description: description } = answer
    if (typeof error === 'string') {
      const message = typeof description === 'string' ? description : `The token request failed: ${error}.`
      return new DroverError(error as DroverErrorCode, message, details)
    }
    const message = `The response (${response.status}) is not from Drover. Check baseUrl, and any proxy in between.`
    return new DroverError('unexpected_answer', message, details)
  }
  const fields = (problem.errors ?? []).map(({ field, message }) => ` ${field}: ${message}`).join('')
  return new DroverError(problem.code, `${problem.detail}${fields}`, details)
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

function toProblem(answer: Readonly<Record<string, unknown>>): Problem | null {
  return typeof answer.code === 'string' && typeof answer.detail === 'string' ? (answer as Problem) : null
}

/** RFC 9110: seconds or a date. */
function toRetryAfterMs(header: string | null): number | null {
  if (!header) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
