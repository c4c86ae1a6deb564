import { type ProblemCode, toProblem } from '../shared/problem.ts'

/** Refusals without a field that are about the person's own password or code. */
const FIELD_OF_CODE: Partial<Record<ProblemCode, string>> = {
  invalid_credentials: 'password',
  invalid_second_factor: 'code',
}

/** The server's messages: each at its field of the form, and the rest for below the form. */
export type FieldProblems = { at(field: string): string | null; rest: unknown }

/** `fields`: the fields that the form shows, by their names in the API. A message for `list[2]` is one for `list`. */
export function fieldProblems(error: unknown, fields: readonly string[]): FieldProblems {
  if (!error) return { at: () => null, rest: null }
  const { code, errors, message } = toProblem(error)
  const ofCode = FIELD_OF_CODE[code]
  const all = ofCode === undefined ? errors : [{ field: ofCode, message }]
  const shown = new Map<string, string>()
  for (const one of all) {
    const field = one.field.split(/[.[]/, 1)[0] ?? ''
    if (fields.includes(field) && !shown.has(field)) shown.set(field, one.message)
  }
  const hasHome = ({ field }: { field: string }) => shown.has(field.split(/[.[]/, 1)[0] ?? '')
  return {
    at: (field) => shown.get(field) ?? null,
    rest: all.length > 0 && all.every(hasHome) ? null : error,
  }
}
