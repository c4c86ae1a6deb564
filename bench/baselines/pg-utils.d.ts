/** The driver's own way to write a value as text; its published types leave it out. */
declare module 'pg/lib/utils' {
  export function prepareValue(value: unknown): string | null
}
