import type { z } from 'zod'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { jsonOf, messageOf } from '../input.ts'
import { refuse } from './errors.ts'

/** The body by its schema, or `invalid_params` that names each field. */
export function readRequest<T>(
  request: FakeRequest,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; answer: FakeAnswer } {
  const body = jsonOf(request)
  const read = schema.safeParse(body ?? {})
  if (read.success && body !== undefined) return { ok: true, value: read.data }
  const issues = read.error?.issues ?? []
  const metadata = Object.fromEntries(
    issues.map((issue) => [
      issue.path.join('.') || 'body',
      isMissing(body, issue.path) ? 'This field is required.' : messageOf(schema, body, issue),
    ]),
  )
  return { ok: false, answer: refuse('invalid_params', metadata) }
}

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  const found = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null)?.[key], body)
  return found === undefined || found === null
}
