/** Reads a body that its schema rejected: a field that is absent or of the wrong type reads as empty. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** Also null for text longer than any field may be, so that no slow check runs on a megabyte. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST ? value : null
}

export function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

const LONGEST = 500
