/** Reading a body that its schema has refused: what is not there, or not of its type, reads as nothing. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** Null also for what is longer than any field may be: nothing slow is tried on a megabyte. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST ? value : null
}

export function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

const LONGEST = 500
