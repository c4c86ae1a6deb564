import { findState } from '../geo/states.ts'

/**
 * What a text field holds, and so what may be in it:
 * - `phone`, `email`, `code`: read by machines. Invisible characters, and blanks at the ends, are removed.
 * - `state`: like a code; a name, an ISO 3166-2 code or any case becomes the abbreviation.
 * - `reference`: compared with others. An invisible character, or a blank at an end, is refused, because two references
 *   that look the same would be two orders.
 * - `line`, `lines`: read by people. What joins letters or emoji stays; other invisible characters are refused.
 * - `note`: like `lines`, but the others are removed: they must not make a driver's report fail.
 */
export type TextClass = 'phone' | 'email' | 'code' | 'state' | 'reference' | 'line' | 'lines' | 'note'

/** An invisible character: its code point as `U+202A`, and its position, counted in characters from 1. */
export type Invisible = { character: string; position: number }

const MACHINE: ReadonlySet<TextClass> = new Set(['phone', 'email', 'code', 'state'])

/**
 * The text as its class reads it, in Unicode's normalisation form C: an é of one character and one of two are the same
 * reference. Text for people and references otherwise stay as they are written.
 */
export function cleanText(text: string, textClass: TextClass): string {
  const isPlain = PLAIN.test(text)
  if (isPlain && !MACHINE.has(textClass)) return text
  if (textClass === 'note') return withoutInvisible(text).normalize('NFC')
  if (!MACHINE.has(textClass)) return text.normalize('NFC')
  const clean = isPlain ? text.trim() : text.replace(EVERY_INVISIBLE, '').normalize('NFC').trim()
  return textClass === 'state' ? (findState(clean) ?? clean) : clean
}

/** A blank at an end of a reference, or the first invisible character that the class refuses, or null. */
export function invisibleIn(text: string, textClass: TextClass): Invisible | null {
  const blank = textClass === 'reference' ? blankAtEnd(text) : null
  if (blank) return blank
  if (PLAIN.test(text) || MACHINE.has(textClass)) return null
  const characters = [...text]
  const at = characters.findIndex(
    (character, index) =>
      INVISIBLE.test(character) && (textClass === 'reference' || !joins(characters, index)),
  )
  return at < 0 ? null : { character: nameCharacter(characters[at] as string), position: at + 1 }
}

/** Null for a text of blanks alone, which counts as empty. */
function blankAtEnd(text: string): Invisible | null {
  const trimmed = text.trim()
  if (trimmed === text || trimmed === '') return null
  const before = text.trimStart() === text ? text.trimEnd() : ''
  const character = nameCharacter(text.slice(before.length))
  return { character, position: [...before].length + 1 }
}

/** Only joiners of letters or emoji stay. */
function withoutInvisible(text: string): string {
  const characters = [...text]
  return characters
    .filter((character, index) => !INVISIBLE.test(character) || joins(characters, index))
    .join('')
}

/** Completes a sentence that begins with the field's name. */
export function refusalOfInvisible({ character, position }: Invisible): string {
  const named = character in BLANKS ? `${character} (${BLANKS[character]})` : character
  return `contains an invisible character, ${named}, at position ${position}. Remove it.`
}

/** The blanks that people paste most, for readers who do not know code points. */
const BLANKS: Readonly<Record<string, string>> = { 'U+0020': 'a space', 'U+00A0': 'a no-break space' }

/** Printable ASCII, which most text is: nothing of it is invisible. */
const PLAIN = /^[\x20-\x7E]*$/
/**
 * Format characters (general category Cf), variation selectors and tags. Arabic and Kaithi number signs are of
 * category Cf too, but are drawn (Unicode's `Prepended_Concatenation_Mark`).
 */
const CLASS =
  '(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\\u{110BD}\\u{110CD}])[\\p{Cf}\\uFE00-\\uFE0F\\u{E0000}-\\u{E007F}]'
const INVISIBLE = new RegExp(`^${CLASS}$`, 'u')
const EVERY_INVISIBLE = new RegExp(CLASS, 'gu')

const [NON_JOINER, JOINER, BLACK_FLAG, CANCEL_TAG] = ['\u200C', '\u200D', '\u{1F3F4}', '\u{E007F}']
/** Scripts in which a joiner or non-joiner changes how a word is written (Unicode Standard, 23.2). */
const JOINING_LETTER = new RegExp(
  `[${'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]`,
  'u',
)
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u
const TAKES_SELECTOR = /[\p{Extended_Pictographic}0-9#*\p{Script=Han}\p{Script=Mymr}\p{Script=Mong}]/u
const TAG = /[\u{E0020}-\u{E007F}]/u

/** Whether the invisible character belongs to its neighbours. */
function joins(characters: readonly string[], at: number): boolean {
  const character = characters[at] as string
  const before = characters[at - 1] ?? ''
  const after = characters[at + 1] ?? ''
  if (character === JOINER && PICTOGRAPH.test(before)) return PICTOGRAPH.test(after)
  if (character === JOINER || character === NON_JOINER) return JOINING_LETTER.test(before)
  if (character >= '\uFE00' && character <= '\uFE0F') return TAKES_SELECTOR.test(before)
  return TAG.test(character) && isFlag(characters, at)
}

/** The flags of England, Scotland and Wales are a black flag, tags and an end tag (UTS 51). */
function isFlag(characters: readonly string[], at: number): boolean {
  const start = characters.lastIndexOf(BLACK_FLAG, at)
  const end = characters.indexOf(CANCEL_TAG, at)
  return start >= 0 && end >= 0 && characters.slice(start + 1, end).every((one) => TAG.test(one))
}

/** `U+202A`. */
export function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`
}
