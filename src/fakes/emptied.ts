import type { FakeAnswer, FakeRequest } from './fake.ts'

/** How a list under `name` looks with nothing in it; `and` is what else of its body changes then. */
export function emptied(name: string, and: Readonly<Record<string, unknown>> = {}) {
  return (_: FakeRequest, answer: FakeAnswer): FakeAnswer =>
    answer.status === 200 ? { ...answer, body: { ...(answer.body as object), ...and, [name]: [] } } : answer
}
