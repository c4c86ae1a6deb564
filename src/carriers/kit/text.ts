/** The first `max` characters of a text, without half a surrogate pair at its end. */
export function cut(text: string, max: number): string
export function cut(text: string | null, max: number): string | null
export function cut(text: string | null, max: number): string | null {
  return text === null ? null : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

/**
 * Wraps a text at its words into lines; null if it needs more than `maxLines` lines of `max` characters.
 */
export function linesOf(text: string, max: number, maxLines: number): string[] | null {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= max) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length <= maxLines && lines.every((line) => line.length <= max) ? lines : null
}

/** Omits an empty field of a request: `...omitEmpty('notes', notes)`. */
export function omitEmpty<K extends string, V>(name: K, value: V | null): Partial<Record<K, V>> {
  return (value === null || value === '' ? {} : { [name]: value }) as Partial<Record<K, V>>
}
