import { z } from 'zod'
import type { FakeAnswer, FakeRequest } from './fake.ts'

/** The body as JSON; undefined where it is none. */
export function jsonOf(request: FakeRequest): unknown {
  try {
    return JSON.parse(request.body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** A control's body by its schema, or the 400 that names each mistake. For carriers' own operations, use their words. */
export function bodyOf<T>(
  request: FakeRequest,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; answer: FakeAnswer } {
  const read = schema.safeParse(jsonOf(request))
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, answer: { status: 400, body: { error: z.prettifyError(read.error) } } }
}
