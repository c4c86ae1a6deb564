import { countValues, MAX_VALUES_PER_STEP, type Steps } from './document/parse-in-steps.ts'

/** `from` or `to` is undefined when the field is absent. */
export type FieldChange = { field: string; from: unknown; to: unknown }

/**
 * The fields in which two JSON values differ, by path. Lists are compared as a whole; the order of members is
 * ignored.
 */
export function differences(before: unknown, after: unknown, field = ''): FieldChange[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      differences(before[name], after[name], field === '' ? name : `${field}.${name}`),
    )
  }
  return isSame(before, after) ? [] : [{ field, from: before, to: after }]
}

/** Whether two JSON values are equal, whatever the order of their members. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => isSame(entry, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  )
}

/** The same in steps: 480,000 values take 14 ms, and garbage collection takes as long again. */
export function* isSameInSteps(a: unknown, b: unknown): Steps<boolean> {
  if (countValues(a, MAX_VALUES_PER_STEP) < MAX_VALUES_PER_STEP) return isSame(a, b)
  yield
  if (Array.isArray(a) !== Array.isArray(b) || !isContainer(a) || !isContainer(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names)
    if (!Object.hasOwn(b, name) || !(yield* isSameInSteps(a[name], b[name]))) return false
  return true
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
