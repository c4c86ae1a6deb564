import type { Mark } from '../marks.ts'
import type { FaceName } from '../pdf/face.ts'
import type { Label, Party } from './data.ts'
import { phoneWords } from './format.ts'
import { LEFT, set } from './place.ts'

/** The recipient under its caption, one row per line; all shrink together when there are many. */
export function receiverMarks(
  { to, deliveryId }: Label,
  { top, bottom }: { top: number; bottom: number },
): Mark[] {
  const lines: Line[] = [
    { words: to.name, face: 'bold', max: 54, min: 26 },
    { words: to.company ?? '', face: 'plain', max: 40, min: 22 },
    ...streets(to).map((words): Line => ({ words, face: 'plain', max: 46, min: 22 })),
    { words: placeWords(to), face: 'plain', max: 46, min: 22 },
    { words: to.phone ? `Phone ${phoneWords(to.phone)}` : '', face: 'bold', max: 40, min: 20 },
  ]
  const shown = lines.filter(({ words }) => words.trim() !== '')
  const wanted = shown.reduce((sum, { max }) => sum + max * SPACING, 0)
  const share = Math.min(1, (bottom - top - 22) / wanted)
  let y = top + 24
  const marks: Mark[] = [
    ...set({ x: LEFT, y: top, width: 200, height: 20 }, 'TO', { face: 'bold', max: 20 }).marks,
    ...set({ x: 230, y: top + 2, width: 330, height: 18 }, deliveryId, {
      face: 'code',
      max: 16,
      min: 12,
      align: 'right',
    }).marks,
  ]
  for (const { words, face, max, min } of shown) {
    const size = Math.floor(max * share)
    const box = { x: LEFT, y: Math.round(y), width: 536, height: size }
    marks.push(...set(box, words, { face, max: size, min: Math.min(min, size) }).marks)
    y += size * SPACING
  }
  return marks
}

/** The sender, which is also the return address. */
export function senderMarks({ from }: Label, y: number): Mark[] {
  const who = [from.company, from.name].filter((name) => name !== null && name !== '').join(', ')
  const phone = from.phone === null ? '' : ` · ${phoneWords(from.phone)}`
  const small = { max: 22, min: 14 }
  const line = { x: LEFT + 66, width: 320, height: 22 }
  return [
    ...set({ x: LEFT, y, width: 66, height: 20 }, 'FROM', { face: 'bold', max: 20 }).marks,
    ...set({ ...line, y }, who, { ...small, face: 'bold' }).marks,
    ...set({ ...line, y: y + 22 }, streets(from).join(', '), small).marks,
    ...set({ ...line, y: y + 44 }, `${placeWords(from)}${phone}`, small).marks,
  ]
}

type Line = { words: string; face: FaceName; max: number; min: number }

/** Line height as a share of the size: names are set closer than running text. */
const SPACING = 1.04

/** Four lines at most: further lines are joined to the fourth. */
function streets({ lines }: Party): string[] {
  return lines.length <= 4 ? [...lines] : [...lines.slice(0, 3), lines.slice(3).join(', ')]
}

function placeWords({ suburb, state, postCode, country }: Party): string {
  const abroad = ['', 'AU', 'AUS', 'AUSTRALIA'].includes(country.toUpperCase()) ? '' : ` ${country}`
  return `${suburb} ${state} ${postCode}${abroad}`
}
