/** The schema's type names, in words. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of names and values',
  record: 'an object of names and values',
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? `the text ${shown(value)}` : shown(value)
}

/** A value as JSON, truncated when it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Whether a limit counts characters or entries, and not the value of a number. */
export function isSize(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

export function sizeOf(value: unknown): string {
  const size = (value as { length: number }).length
  return typeof value === 'string' ? `${size} characters` : `${size} entries`
}

export function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
