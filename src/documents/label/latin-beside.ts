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
    to: { ...partyWithLatin(label.to), ...receiverWithLatin(label.to) },
    specialInstructions: label.specialInstructions && textWithLatin(label.specialInstructions, '\n'),
    pickupInstructions: label.pickupInstructions && textWithLatin(label.pickupInstructions, '\n'),
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
    lines: party.lines.map((line) => textWithLatin(line)),
    suburb: textWithLatin(party.suburb),
  }
}

/** Where the transliteration does not fit on the same line, it starts a line. */
function receiverWithLatin({ name, company, lines }: Party): Pick<Party, 'name' | 'company' | 'lines'> {
  return {
    name: textWithLatin(name, '\n'),
    company: company && textWithLatin(company, '\n'),
    lines: lines.map((line) => textWithLatin(line, '\n')),
  }
}

/** A driver does not read a longer transliteration, and the text itself needs the space. */
const MAX_TEXT = 120

/** `王小明` becomes `王小明 (Wang Xiao Ming)`; a text with a Latin word already has what a driver can read. */
export function textWithLatin(text: string, between: ' ' | '\n' = ' '): string {
  if (text.length > MAX_TEXT || /\p{Script=Latin}{2}/u.test(text)) return text
  // The table has only Chinese readings of Chinese characters, and no Japanese name is read so.
  if (hasKana(text) && /\p{sc=Han}/u.test(text)) return text
  if (!/\p{L}/u.test(text.replace(/\p{Script=Latin}/gu, ''))) return text
  const latin = spaced(printable(spacedPunctuation(text), 'plain', { inLatin: true }))
  return /\p{L}/u.test(latin) ? `${text}${between}(${latin})` : text
}

/** `，` has its space within the character; its Latin counterpart has none. */
function spacedPunctuation(text: string): string {
  return text.replace(/[、。，．！？：；）」』】》]/g, '$& ').replace(/[（「『【《]/g, ' $&')
}

/** A space before each syllable of Chinese and Korean, which starts with a capital letter, and none before a comma. */
function spaced(latin: string): string {
  return latin
    .replace(/\*/g, '')
    .replace(/(\p{L})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/ +(?=[,.!?:;)])/g, '')
    .replace(/\( +/g, '(')
}
