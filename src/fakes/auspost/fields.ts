/** A JSON object as a caller wrote it: nothing is known of what is in it. */
export type Fields = Readonly<Record<string, unknown>>

/** Null for what is no object. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** Clients in use send one object where the reference has a list, and are served. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return fieldsOf(value) ? [value] : []
}

/** Text without the blanks around it; null where there is none. Numbers are taken as they are written. */
export function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** The reference's own samples send numbers as text. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

/** Null where it is absent or neither yes nor no; `"true"` is in use. */
export function flagOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
