import { createRequire } from 'node:module'
import { familyOf, fileOf, hasFont, type ScriptFamily } from '../script/families.ts'
import { isShaperLoaded } from '../script/shaper.ts'
import { type FaceName, face } from './face.ts'

/** As much as the longest text that is printed, a declaration of dangerous goods; a carrier's 10 kB are cut here, before anything is measured. */
const LONGEST = 2_000

/**
 * The text as the typeface can print it, on one line or, with `lines`, with the writer's own line breaks.
 *
 * Removes controls, direction overrides and stacked marks. A character that the typeface lacks is kept if a font of
 * its script has it (decision 40); or else it becomes its plain letter (fullwidth, rare accents), or is transliterated
 * (decision 39). `?` is left for what has no letters, such as private use. `inLatin`: other scripts are transliterated.
 */
export function printable(text: string, name: FaceName, { lines = false, inLatin = false } = {}): string {
  const cut = text.slice(0, LONGEST)
  if (/^[\x20-\x7e]*$/.test(cut)) return cut.replace(/ {2,}/g, ' ').trim()
  const key = `${name} ${lines} ${inLatin} ${isShaperLoaded()} ${cut}`
  const known = printed.get(key)
  if (known !== undefined) return known
  const made = printedAs(cut, name, lines, inLatin)
  if (printed.size >= MAX_PRINTED) printed.clear()
  printed.set(key, made)
  return made
}

/** The last texts: a label is laid out at many sizes, and its texts are the same at each. */
const printed = new Map<string, string>()
const MAX_PRINTED = 100

function printedAs(cut: string, name: FaceName, lines: boolean, inLatin: boolean): string {
  const { glyphs } = face(name)
  const has = (character: string) => (glyphs.get(character.codePointAt(0)!)?.width ?? 0) > 0
  const usesFonts = !inLatin && isShaperLoaded()
  const fullwidth = usesFonts && EAST_ASIAN.test(cut) ? FULLWIDTH_LETTERS : FULLWIDTH
  /** The fonts of the script that the last character is printed in. */
  let near: ScriptFamily | null = null
  let marks = 0
  let out = ''
  const text = cut
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(fullwidth, (wide) => String.fromCharCode(wide.charCodeAt(0) - TO_FULLWIDTH))
  for (const character of text) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0
    // Joiners decide which form a letter of Persian or of an Indian script has. What is no mark may start a line, where
    // it needs a font without the character before it.
    const isOfNear: boolean =
      near !== null &&
      (/[\u200c\u200d]/.test(character) ||
        (fileOf(near, character) !== null && (marks > 0 || hasFont(character))))
    if (isOfNear && !has(character)) {
      if (marks <= MAX_MARKS) out += character
      continue
    }
    near = usesFonts && marks === 0 && !has(character) ? familyOf(character) : null
    if (character === '\n' && lines) out += '\n'
    else if (/[\s\p{Cc}\p{Z}]/u.test(character)) out += ' '
    else if (/\p{Cf}|\p{Script=Inherited}/u.test(character)) continue
    else if (has(character)) out += character
    else if (near) out += character
    else out += plainLetters(character, has) || (inLatin || /\p{M}/u.test(character) ? '' : '?')
  }
  return out
    .replace(/ +/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** `Ａ` to `A`: letters and digits always, and punctuation in a text without East Asian letters. */
const [FULLWIDTH, FULLWIDTH_LETTERS] = [/[\uff01-\uff5e]/g, /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g]
const TO_FULLWIDTH = 0xfee0
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}]/u

/** Burmese has four marks at one letter; more than this would be drawn over other lines. */
const MAX_MARKS = 5

/**
 * The characters that a label prints in other letters than they are written in, because no font has them. A Latin letter
 * that loses its mark is one of them; a ligature or a fullwidth letter is not.
 */
export function charactersWithoutFont(text: string, name: FaceName): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return []
  const { glyphs } = face(name)
  const lacking = [...text.normalize('NFC')].filter(
    (character) =>
      !/[\s\p{Cc}\p{Z}\p{Cf}\p{Script=Inherited}]/u.test(character) &&
      !glyphs.has(character.codePointAt(0) as number) &&
      !hasFont(character) &&
      (/\p{Script=Latin}/u.test(character)
        ? printable(character, name) !== character.normalize('NFKC')
        : [...character.normalize('NFKD')].every((part) => !glyphs.has(part.codePointAt(0) as number))),
  )
  return [...new Set(lacking)]
}

/** The first character of private use, or Latin letter, that a label could only print as `?`; null if there is none. */
export function findIllegible(text: string, name: FaceName): string | null {
  if (!MAY_LACK_GLYPH.test(text)) return null
  const isIllegible = (one: string) => MAY_LACK_GLYPH.test(one) && printable(one, name) === '?'
  return charactersWithoutFont(text, name).find(isIllegible) ?? null
}

/** Private use, and Latin letters beyond those that the typefaces have: most texts have neither. */
const MAY_LACK_GLYPH = /\p{Co}|(?![\0-\u017f\u1e00-\u1eff])\p{Script=Latin}/u

function plainLetters(character: string, has: (character: string) => boolean): string {
  const decomposed = [...character.normalize('NFKD')].filter(has).join('').replace(/\p{M}/gu, '')
  if (decomposed !== '' || /[\p{Co}\p{Cs}]/u.test(character)) return decomposed
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
