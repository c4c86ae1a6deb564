import type { FakeAnswer, FakeRequest } from './fake.ts'

/** An empty list under `name`, for the fault `empty`; `and` has other members of the body that change with it. */
export function emptied(name: string, and: Readonly<Record<string, unknown>> = {}) {
  return (_: FakeRequest, answer: FakeAnswer): FakeAnswer =>
    answer.status === 200 ? { ...answer, body: { ...(answer.body as object), ...and, [name]: [] } } : answer
}
