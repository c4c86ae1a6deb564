import type { Mark } from '../marks.ts'
import type { Label, Party } from './data.ts'
import { phoneWords } from './format.ts'
import { LEFT, LEGIBLE, type Line, set, spaceForMarks, stack } from './place.ts'
import type { Span } from './sections.ts'

/** The recipient under its caption, a stack of all lines of the address. */
export function receiverMarks(
  { to, deliveryId }: Pick<Label, 'to' | 'deliveryId'>,
  { top, bottom, isSmallest }: Span,
): Mark[] {
  const lines: Line[] = [
    { words: to.name, face: 'bold', max: 54, min: LEGIBLE },
    { words: to.company ?? '', face: 'plain', max: 40, min: LEGIBLE },
    ...to.lines.map((words): Line => ({ words, face: 'plain', max: 46, min: LEGIBLE })),
    { words: formatPlace(to), face: 'plain', max: 46, min: LEGIBLE },
    { words: to.phone ? `Phone ${phoneWords(to.phone)}` : '', face: 'bold', max: 40, min: LEGIBLE },
  ]
  const y = top + 24 + spaceForMarks(to.name, 8)
  return [
    ...set({ x: LEFT, y: top, width: 200, height: 20 }, 'TO', { face: 'bold', max: 20 }).marks,
    ...set({ x: 230, y: top + 2, width: 330, height: 18 }, deliveryId, {
      face: 'code',
      max: 16,
      min: 12,
      align: 'right',
    }).marks,
    ...stack({ x: LEFT, y, width: 536, height: bottom - y + 2 }, lines, isSmallest),
  ]
}

/** The sender, which is also the return address. */
export function senderMarks({ from }: Pick<Label, 'from'>, { top, bottom, isSmallest }: Span): Mark[] {
  const who = [from.company, from.name].filter((name) => name !== null && name !== '').join(', ')
  const phone = from.phone === null ? '' : ` · ${phoneWords(from.phone)}`
  const lines: Line[] = [
    { words: who, face: 'bold', max: 22, min: LEGIBLE },
    { words: from.lines.join(', '), face: 'plain', max: 22, min: LEGIBLE },
    { words: `${formatPlace(from)}${phone}`, face: 'plain', max: 22, min: LEGIBLE },
  ]
  return [
    ...set({ x: LEFT, y: top, width: 66, height: 20 }, 'FROM', { face: 'bold', max: 20 }).marks,
    ...stack({ x: LEFT + 66, y: top, width: 320, height: bottom - top }, lines, isSmallest),
  ]
}

function formatPlace({ suburb, state, postCode, country }: Party): string {
  const abroad = ['', 'AU', 'AUS', 'AUSTRALIA'].includes(country.toUpperCase()) ? '' : ` ${country}`
  return `${suburb} ${state} ${postCode}${abroad}`
}
