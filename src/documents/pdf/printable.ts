import { type FaceName, face } from './face.ts'

/** More than any field that a request takes; a carrier's 10 kB are cut here, before anything is measured. */
const LONGEST = 1_200

/**
 * The text as the typeface can print it, on one line or, with `lines`, with the writer's own line breaks.
 *
 * Removes controls, direction overrides, joiners and stacked marks; a character that the typeface lacks
 * becomes its plain letter (fullwidth, rare accents) or `?`. Every character of the result has a width above
 * zero.
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
    else if (/[\p{Cf}\p{M}]/u.test(character)) continue
    else if (has(character)) out += character
    else out += [...character.normalize('NFKD')].filter(has).join('').replace(/\p{M}/gu, '') || '?'
  }
  return out
    .replace(/ +/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
