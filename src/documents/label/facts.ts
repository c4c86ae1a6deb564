import { formatWindowAt } from '../../domain/calendar/format-window-at.ts'
import type { Mark } from '../marks.ts'
import type { Label, LabelArticle } from './data.ts'
import { dayWords, sizeWords, unWords } from './format.ts'
import { LEFT, LEGIBLE, type Style, set, spaceForMarks } from './place.ts'
import type { Span } from './sections.ts'

/** Three rows of labelled facts: order, consignment, window, weight. Each value has two lines. */
export function factMarks(label: Label, article: LabelArticle, top: number): Mark[] {
  return factRows(label, article).flatMap((row, index) =>
    rowMarks(row, { top: top + index * USUAL_ROW, height: USUAL_ROW, lines: 2 }),
  )
}

/** The same rows, each as high as its longest value needs in small type, the first ones before the others. */
export function compactFactMarks(
  label: Label,
  article: LabelArticle,
  { top, bottom, isSmallest = false }: Span,
): Mark[] {
  const rows = factRows(label, article)
  let spare = bottom - top - rows.length * COMPACT_ROW
  let y = top
  return rows.flatMap((row) => {
    const more = Math.max(0, Math.min(spare, Math.max(...row.map(neededHeight)) - COMPACT_ROW))
    const at = { top: y, height: COMPACT_ROW + more - GAP, lines: MAX_LINES, isSmallest }
    spare -= more
    y += COMPACT_ROW + more
    return rowMarks(row, at)
  })
}

type RowSpace = { top: number; height: number; lines: number; isSmallest?: boolean }

function rowMarks(row: readonly Fact[], { top, height, lines, isSmallest = false }: RowSpace): Mark[] {
  return row.flatMap(({ x, width, name, value, face = 'plain', max = 30 }) => {
    const box = { x: LEFT + x, y: top, width, height: 30 }
    const head = nameHeight(value)
    const room = { ...box, y: top + head, height: height - head }
    const largest = lines > 2 ? Math.min(max, 26) : max
    const style = { face, max: largest, min: minSize(face), lines, isSmallest }
    return [...set(box, name, { max: 18 }).marks, ...set(room, value, style).marks]
  })
}

const [USUAL_ROW, COMPACT_ROW, NAME_HEIGHT, GAP, MAX_LINES] = [51, 44, 18, 3, 12]
const nameHeight = (value: string) => NAME_HEIGHT + spaceForMarks(value, 5)
/** Height of the compact rows if no value is long. */
export const COMPACT_FACTS = 3 * COMPACT_ROW

/** The letters of `code` are larger than others of their size. */
function minSize(face: Style['face']): number {
  return face === 'code' ? 12 : LEGIBLE
}

function neededHeight({ width, value, face = 'plain' }: Fact): number {
  const size = minSize(face)
  const room = { x: 0, y: 0, width, height: 1_000 }
  return (
    nameHeight(value) + GAP + 1 + set(room, value, { face, max: size, min: size, lines: MAX_LINES }).bottom
  )
}

function factRows(label: Label, article: LabelArticle): Fact[][] {
  const contents = [article.parcelReference, article.description].filter(Boolean).join(' · ')
  const deliver = formatWindowAt(label.window, { ...label.window, nowMs: label.window.fromMs }, 'dated')
  return [
    [
      { x: 0, width: 330, name: 'Order', value: label.reference, face: 'code' },
      { x: 344, width: 230, name: 'Consignment', value: label.consignmentNumber, face: 'code' },
      {
        x: 590,
        width: 162,
        name: 'Parcel',
        value: `${article.number} of ${article.of}`,
        face: 'bold',
        max: 42,
      },
    ],
    [
      { x: 0, width: 330, name: 'Deliver', value: deliver, face: 'bold' },
      { x: 344, width: 408, name: 'Weight and size', value: sizeWords(article), face: 'bold' },
    ],
    [
      { x: 0, width: 574, name: 'Contents', value: contents },
      { x: 590, width: 162, name: 'Despatched', value: dayWords(label.despatchDate), face: 'bold' },
    ],
  ]
}

/** The dangerous goods diamond and entry, or the statement that there are no dangerous goods. */
export function goodsMarks(
  { dangerousGoods: goods }: Pick<LabelArticle, 'dangerousGoods'>,
  { top, bottom, isSmallest = false }: Span,
): Mark[] {
  const x = 430
  if (goods === null) {
    return [
      ...set({ x, y: top + 8, width: 346, height: 30 }, 'NO DANGEROUS GOODS', { face: 'bold', max: 30 })
        .marks,
      ...set({ x, y: top + 38, width: 346, height: 22 }, 'The sender declares this parcel holds none.', {
        max: 20,
      }).marks,
    ]
  }
  const group = goods.packingGroup ? `, packing group ${goods.packingGroup}` : ''
  const entry = `${unWords(goods.unNumber)}, class ${goods.classDivision}${group}`
  const words = { x: x + 76, width: 270 }
  return [
    { kind: 'diamond', x, y: top, size: 64, line: 3 },
    ...set({ x: x + 12, y: top + 24, width: 40, height: 24 }, goods.classDivision, {
      face: 'bold',
      max: 26,
      min: 12,
      align: 'centre',
    }).marks,
    ...set({ ...words, y: top, height: 24 }, 'DANGEROUS GOODS', { face: 'bold', max: 22 }).marks,
    ...set({ ...words, y: top + 22, height: 24 }, entry, { face: 'bold', max: 22, min: 14, isSmallest })
      .marks,
    ...set({ ...words, y: top + 44, height: bottom - top - 44 }, goods.properShippingName, {
      max: 20,
      min: LEGIBLE,
      lines: MAX_LINES,
      isSmallest,
    }).marks,
  ]
}

type Fact = {
  x: number
  width: number
  name: string
  value: string
  face?: Style['face'] & {}
  max?: number
  min?: number
}
