/** A caller's JSON object with unknown members. */
export type Fields = Readonly<Record<string, unknown>>

/** Null if it is not an object. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** Clients in production send one object where the reference has a list, and it is accepted. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return fieldsOf(value) ? [value] : []
}

/** Trimmed text; null when empty or absent. Numbers are accepted as written. */
export function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** The reference's own samples send numbers as text. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

/** Null when it is absent or not a flag; `"true"` is in use. */
export function flagOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
