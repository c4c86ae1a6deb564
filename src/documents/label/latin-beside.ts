import { printable } from '../pdf/printable.ts'
import { hasKana } from '../script/line.ts'
import { isShaperLoaded } from '../script/shaper.ts'
import type { Label, LabelArticle, Party } from './data.ts'

/** The label with a transliteration beside each text that its sender wrote in another script only, for the driver. */
export function withLatinBeside(label: Label): Label {
  if (!isShaperLoaded()) return label
  return {
    ...label,
    from: partyWithLatin(label.from),
    to: partyWithLatin(label.to),
    specialInstructions: label.specialInstructions && textWithLatin(label.specialInstructions),
    pickupInstructions: label.pickupInstructions && textWithLatin(label.pickupInstructions),
  }
}

export function articleWithLatinBeside(article: LabelArticle): LabelArticle {
  if (!isShaperLoaded() || article.description === null) return article
  return { ...article, description: textWithLatin(article.description) }
}

function partyWithLatin(party: Party): Party {
  return {
    ...party,
    name: textWithLatin(party.name),
    company: party.company && textWithLatin(party.company),
    lines: party.lines.map(textWithLatin),
    suburb: textWithLatin(party.suburb),
  }
}

/** A driver does not read a longer transliteration, and the text itself needs the space. */
const MAX_TEXT = 120

/** `王小明` becomes `王小明 (Wang Xiao Ming)`; a text with a Latin word already has what a driver can read. */
export function textWithLatin(text: string): string {
  if (text.length > MAX_TEXT || /\p{Script=Latin}{2}/u.test(text)) return text
  // The table has only Chinese readings of Chinese characters, and no Japanese name is read so.
  if (hasKana(text) && /\p{sc=Han}/u.test(text)) return text
  if (!/\p{L}/u.test(text.replace(/\p{Script=Latin}/gu, ''))) return text
  const latin = printable(text, 'plain', { inLatin: true }).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return /\p{L}/u.test(latin) ? `${text} (${latin})` : text
}
