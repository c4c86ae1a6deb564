import type { z } from 'zod'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { jsonOf, messageOf } from '../input.ts'
import { invalidFields } from './errors.ts'

/** The body by its schema, or the 400 that names each field. `mayBeEmpty`: a missing body counts as empty. */
export function readRequest<T>(
  request: FakeRequest,
  schema: z.ZodType<T>,
  { mayBeEmpty = false } = {},
): { ok: true; value: T } | { ok: false; answer: FakeAnswer } {
  const body = mayBeEmpty && request.body.length === 0 ? {} : jsonOf(request)
  const read = schema.safeParse(body)
  if (read.success) return { ok: true, value: read.data }
  const wrong = read.error.issues.map((issue) => ({
    field: issue.path.join('.') || 'body',
    error: messageOf(schema, body, issue),
  }))
  return { ok: false, answer: invalidFields(wrong) }
}
