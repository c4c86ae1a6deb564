import { createRequire } from 'node:module'
import { type FaceName, face } from './face.ts'

/** More than any field that a request takes; a carrier's 10 kB are cut here, before anything is measured. */
const LONGEST = 1_200

/**
 * The text as the typeface can print it, on one line or, with `lines`, with the writer's own line breaks.
 *
 * Removes controls, direction overrides, joiners and stacked marks; a character that the typeface lacks
 * becomes its plain letter (fullwidth, rare accents), or is transliterated (decision 39). `?` is left for what has no
 * letters, such as private use. Every character of the result has a width above zero.
 */
export function printable(text: string, name: FaceName, { lines = false } = {}): string {
  const cut = text.slice(0, LONGEST)
  if (/^[\x20-\x7e]*$/.test(cut)) return cut.replace(/ {2,}/g, ' ').trim()
  const { glyphs } = face(name)
  const has = (character: string) => (glyphs.get(character.codePointAt(0)!)?.width ?? 0) > 0
  let out = ''
  for (const character of cut.normalize('NFC').replace(/\r\n?|[\u2028\u2029]/g, '\n')) {
    if (character === '\n' && lines) out += '\n'
    else if (/[\s\p{Cc}\p{Z}]/u.test(character)) out += ' '
    else if (/\p{Cf}|\p{Script=Inherited}/u.test(character)) continue
    else if (has(character)) out += character
    else out += plainLetters(character, has) || (/\p{M}/u.test(character) ? '' : '?')
  }
  return out
    .replace(/ +/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Whether a label prints some of the text in other letters than it is written in. */
export function isTransliterated(text: string, name: FaceName): boolean {
  if (/^[\x20-\x7e]*$/.test(text)) return false
  const { glyphs } = face(name)
  return [...text.normalize('NFC')].some(
    (character) =>
      !/[\s\p{Cc}\p{Z}\p{Cf}\p{Script=Inherited}\p{Script=Latin}]/u.test(character) &&
      !glyphs.has(character.codePointAt(0) as number) &&
      [...character.normalize('NFKD')].every((part) => !glyphs.has(part.codePointAt(0) as number)),
  )
}

function plainLetters(character: string, has: (character: string) => boolean): string {
  const decomposed = [...character.normalize('NFKD')].filter(has).join('').replace(/\p{M}/gu, '')
  if (decomposed !== '' || /[\p{Script=Latin}\p{Co}\p{Cs}]/u.test(character)) return decomposed
  return [...inAscii(character)].filter(has).join('')
}

let transliterate: ((text: string) => string) | null = null

/** The table is read when the first text needs it: 0.5 MB, 20 ms. */
function inAscii(character: string): string {
  if (transliterate === null) {
    const loaded = createRequire(import.meta.url)('any-ascii') as { default: (text: string) => string }
    transliterate = loaded.default
  }
  return transliterate(character)
}
