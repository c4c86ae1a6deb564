const MAX_ENTRIES = 2
const MAX_BYTES = 4_096

type Path = readonly string[]

/** A response with at most two entries in each list. */
export function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(cutLists)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutLists(inner)]))
}

/**
 * Removes fields until the JSON has at most 4 kB: the outermost first, from the end, and none without which the response
 * would not be valid. Throws if it stays longer.
 */
export function cutFields(
  value: unknown,
  isValid: (value: unknown) => boolean,
): { value: unknown; isCut: boolean } {
  let kept = value
  while (JSON.stringify(kept).length > MAX_BYTES) {
    const shorter = listFields(kept)
      .toSorted((a, b) => a.length - b.length)
      .map((path) => without(kept, path))
      .find(isValid)
    if (shorter === undefined)
      throw new Error(`Every field is required: ${JSON.stringify(kept).slice(0, 200)}`)
    kept = shorter
  }
  return { value: kept, isCut: kept !== value }
}

/** The paths of all fields of objects, the last field first. */
function listFields(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value)
    .reverse()
    .flatMap(([name, inner]) => [
      ...(Array.isArray(value) ? [] : [[...path, name]]),
      ...listFields(inner, [...path, name]),
    ])
}

function without(value: unknown, [first, ...rest]: Path): unknown {
  if (Array.isArray(value))
    return value.map((entry, at) => (String(at) === first ? without(entry, rest) : entry))
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, inner]) => {
      if (name !== first) return [[name, inner]]
      return rest.length === 0 ? [] : [[name, without(inner, rest)]]
    }),
  )
}
