/** Scripts without spaces between words; Korean has them. */
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u
const ONE_BY_ONE = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}ー々]+$/u

let words: Intl.Segmenter | null = null
let letters: Intl.Segmenter | null = null

/**
 * Where a text without spaces may be broken: between Chinese characters, and between words of Thai, Lao, Khmer and
 * Burmese, which ICU's dictionaries know. Punctuation stays with the word before it, an opening bracket with the next.
 */
export function partsOf(chunk: string): string[] {
  if (!WITHOUT_SPACES.test(chunk)) return [chunk]
  words ??= new Intl.Segmenter('en', { granularity: 'word' })
  const parts: string[] = []
  for (const { segment } of words.segment(chunk)) {
    for (const part of ONE_BY_ONE.test(segment) ? lettersOf(segment) : [segment]) {
      const last = parts.at(-1)
      const isJoined =
        last !== undefined &&
        (/^[\p{Po}\p{Pe}\p{Pf}\p{M}ー々ゝゞ]/u.test(part) || /[\p{Ps}\p{Pi}]$/u.test(last))
      if (isJoined) parts[parts.length - 1] = last + part
      else parts.push(part)
    }
  }
  return parts
}

/** The letters of a text with their marks: the least that may stand on a line. */
export function lettersOf(text: string): Iterable<string> {
  if (/^[\x20-\u024f]*$/.test(text)) return text
  letters ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(letters.segment(text), ({ segment }) => segment)
}
