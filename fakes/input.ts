import type { z } from 'zod'
import { toIssue } from '../src/domain/account/validation/mistake.ts'
import { formatIssues, shapeMistakes } from '../src/domain/account/validation/shape-mistakes.ts'
import type { FakeAnswer, FakeRequest } from './fake.ts'

/** The body as JSON; undefined when it is not JSON. */
export function jsonOf(request: FakeRequest): unknown {
  try {
    return JSON.parse(request.body.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * A control's body by its schema, or the 400 that names each mistake. A carrier's own operations use that
 * carrier's messages.
 */
export function bodyOf<T>(
  request: FakeRequest,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; answer: FakeAnswer } {
  const body = jsonOf(request)
  const read = schema.safeParse(body)
  if (read.success) return { ok: true, value: read.data }
  return {
    ok: false,
    answer: { status: 400, body: { error: formatIssues(schema, body, read.error.issues) } },
  }
}

/** What is wrong with one field of a body, without its name. */
export function messageOf(schema: z.ZodType, body: unknown, issue: z.core.$ZodIssue): string {
  return shapeMistakes(schema, body, [issue])
    .map((mistake) => toIssue(mistake).message)
    .join(' ')
}
