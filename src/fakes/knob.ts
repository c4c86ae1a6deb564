import type { z } from 'zod'
import type { FakeAnswer, FakeRoute } from './fake.ts'
import { bodyOf } from './input.ts'

/**
 * A control that is turned by `POST`, with a body of the schema, or it answers 400. What `turn` answers is the answer;
 * where it has none of its own, 201 with what was asked.
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
