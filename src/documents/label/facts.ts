import { sayWindow } from '../../domain/calendar/say-window.ts'
import type { Mark } from '../marks.ts'
import type { Label, LabelArticle } from './data.ts'
import { dayWords, sizeWords, unWords } from './format.ts'
import { LEFT, type Style, set } from './place.ts'

/** Three rows of labelled facts: order, consignment, window, weight. */
export function factMarks(label: Label, article: LabelArticle, top: number): Mark[] {
  const contents = [article.parcelReference, article.description].filter(Boolean).join(' · ')
  const deliver = sayWindow(label.window, { ...label.window, nowMs: label.window.fromMs }, 'dated')
  const facts: Fact[] = [
    { at: [0, 0, 330], name: 'Order', value: label.reference, face: 'code' },
    { at: [0, 344, 230], name: 'Consignment', value: label.consignmentNumber, face: 'code' },
    { at: [0, 590, 162], name: 'Parcel', value: `${article.number} of ${article.of}`, face: 'bold', max: 42 },
    { at: [1, 0, 330], name: 'Deliver', value: deliver, face: 'bold', min: 10 },
    { at: [1, 344, 408], name: 'Weight and size', value: sizeWords(article), face: 'bold' },
    { at: [2, 0, 574], name: 'Contents', value: contents },
    { at: [2, 590, 162], name: 'Despatched', value: dayWords(label.despatchDate), face: 'bold' },
  ]
  return facts.flatMap(({ at: [row, x, width], name, value, face = 'plain', max = 30, min = 14 }) => {
    const box = { x: LEFT + x, y: top + row * 51, width, height: 30 }
    const lead = set(box, name, { max: 18 })
    return [...lead.marks, ...set({ ...box, y: box.y + 18 }, value, { face, max, min }).marks]
  })
}

/** The dangerous goods diamond and entry, or the statement that there are no dangerous goods. */
export function goodsMarks({ dangerousGoods: goods }: LabelArticle, top: number): Mark[] {
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
    ...set({ ...words, y: top + 22, height: 24 }, entry, { face: 'bold', max: 22, min: 14 }).marks,
    ...set({ ...words, y: top + 44, height: 22 }, goods.properShippingName, { max: 20, min: 12 }).marks,
  ]
}

/** `at` is row, left and width. */
type Fact = {
  at: [number, number, number]
  name: string
  value: string
  face?: Style['face'] & {}
  max?: number
  min?: number
}
