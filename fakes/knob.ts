import type { z } from 'zod'
import type { FakeAnswer, FakeRoute } from './fake.ts'
import { bodyOf } from './input.ts'

/**
 * A control: a `POST` whose body must match the schema; otherwise it responds with 400. The response is the
 * result of `turn`; without a result it is 201 with the request's body.
 */
export function knob<T>(
  path: string,
  schema: z.ZodType<T>,
  turn: (asked: T, id: string) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>,
): FakeRoute {
  return {
    name: 'control',
    method: 'POST',
    path,
    async answer(request) {
      const asked = bodyOf(request, schema)
      if (!asked.ok) return asked.answer
      const own = await turn(asked.value, request.params.id ?? '')
      return own ?? { status: 201, body: asked.value }
    },
  }
}
