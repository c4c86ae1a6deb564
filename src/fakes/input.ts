import { z } from 'zod'
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
  const read = schema.safeParse(jsonOf(request))
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, answer: { status: 400, body: { error: z.prettifyError(read.error) } } }
}
