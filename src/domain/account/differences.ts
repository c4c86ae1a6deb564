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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
