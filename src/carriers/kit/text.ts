/** The first `most` characters of a text, without half a surrogate pair at its end. */
export function cut(text: string, most: number): string
export function cut(text: string | null, most: number): string | null
export function cut(text: string | null, most: number): string | null {
  return text === null ? null : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/**
 * Wraps a text at its words into lines; null if it needs more than `mostLines` lines of `most` characters.
 */
export function linesOf(text: string, most: number, mostLines: number): string[] | null {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length <= mostLines && lines.every((line) => line.length <= most) ? lines : null
}
