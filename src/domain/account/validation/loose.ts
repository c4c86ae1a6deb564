import type { Path } from '../document/schema-at.ts'

/** Reads a document of any shape: a field that is absent or of the wrong type is undefined. */
export function field(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name)
  return typeof found === 'string' ? found : undefined
}

export function numberField(value: unknown, name: string): number | undefined {
  const found = field(value, name)
  return typeof found === 'number' ? found : undefined
}

/** The entries of a list with their paths; empty when there is no list. */
export function entries(value: unknown, name: string, above: Path = []): { value: unknown; path: Path }[] {
  const found = field(value, name)
  return Array.isArray(found)
    ? found.map((entry, index) => ({ value: entry, path: [...above, name, index] }))
    : []
}
