import type { z } from 'zod'
import type { FakeAnswer, FakeRoute } from './fake.ts'
import { bodyOf } from './input.ts'

/**
 * A control: a `POST` whose body must match the schema; otherwise it responds with 400. The response is the
 * result of `apply`; without a result it is 201 with the request's body.
 */
export function controlRoute<T>(
  path: string,
  schema: z.ZodType<T>,
  apply: (input: T, id: string) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>,
): FakeRoute {
  return {
    name: 'control',
    method: 'POST',
    path,
    async answer(request) {
      const input = bodyOf(request, schema)
      if (!input.ok) return input.answer
      const own = await apply(input.value, request.params.id ?? '')
      return own ?? { status: 201, body: input.value }
    },
  }
}
