/** The driver's own conversion of a value to text, which its published types leave out. */
declare module 'pg/lib/utils' {
  export function prepareValue(value: unknown): string | null
}
