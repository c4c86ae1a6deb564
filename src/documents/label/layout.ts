import type { Mark } from '../marks.ts'
import { linearMarks, matrixMarks } from './barcodes.ts'
import type { Label, LabelArticle, Party } from './data.ts'
import { factMarks, goodsMarks } from './facts.ts'
import { dutyMarks, instructionMarks } from './instructions.ts'
import { receiverMarks, senderMarks } from './parties.ts'
import { boxed, LEFT, middle, set, WIDTH } from './place.ts'

/** 100 × 150 mm in dots. */
export const LABEL_SIZE = { width: 800, height: 1200 }

/**
 * The drawing commands of one article's label, in the driver's order: service, place, person, window, duties,
 * bars.
 */
export function labelMarks(label: Label, article: LabelArticle): Mark[] {
  const banners = bannerMarks(label, 118)
  const place = banners.length > 0 ? 172 : 126
  const person = place + 106
  return [
    ...bandMarks(label, 16),
    ...banners,
    ...placeMarks(label.to, place),
    rule(person - 14),
    ...receiverMarks(label, { top: person, bottom: 522 }),
    ...matrixMarks({ x: 576, y: person + 4, width: 200, height: 200 }, article.barcodes.matrix),
    rule(526),
    ...factMarks(label, article, 537),
    rule(692),
    ...dutyMarks(label, { top: 702, bottom: 854 }),
    ...instructionMarks(label, { top: 702, bottom: 854 }),
    rule(860),
    ...senderMarks(label, 871),
    ...goodsMarks(article, 869),
    rule(936),
    ...linearMarks({ x: 0, y: 946, width: LABEL_SIZE.width, height: 232 }, article.barcodes.linear),
  ]
}

function rule(y: number): Mark {
  return { kind: 'fill', x: LEFT, y, width: WIDTH, height: 3 }
}

/** Carrier and service on black, the delivery type in the largest letters of the band. */
function bandMarks(label: Label, y: number): Mark[] {
  const service = `${label.serviceName} · ${label.serviceCode}`
  const white = { face: 'bold', white: true } as const
  const left = { x: LEFT + 18, width: 356, height: 44 }
  const right = { x: LEFT + 384, y: y + 10, width: 350, height: 90 }
  return [
    { kind: 'fill', x: LEFT, y, width: WIDTH, height: 96 },
    ...set({ ...left, y: y + 16 }, label.carrierName, { ...white, max: 42, min: 24 }).marks,
    ...set({ ...left, y: y + 57 }, service, { ...white, max: 36, min: 20 }).marks,
    ...middle(
      { ...right, height: 76 },
      set(right, label.deliveryType.toUpperCase(), { ...white, max: 76, min: 40, align: 'right' }).marks,
    ),
  ]
}

/** Banners for a label that is not ordinary; two fit side by side. */
function bannerMarks(label: Label, y: number): Mark[] {
  const banners: string[] = []
  if (label.mode === 'customer_pickup') banners.push('RETURN: PICK UP FROM CUSTOMER')
  if (label.sandbox) banners.push('TEST – DO NOT CARRY')
  const [width, step] = banners.length === 2 ? [372, 380] : [WIDTH, 0]
  return banners.flatMap((words, index) =>
    boxed({ x: LEFT + index * step, y, width, height: 44 }, words, { loud: index === 0, max: 36, min: 18 }),
  )
}

/** The destination, which parcels are sorted by, readable across a loading dock. */
function placeMarks({ suburb, state, postCode }: Party, y: number): Mark[] {
  const bold = { face: 'bold', max: 92, min: 30 } as const
  const left = { x: LEFT, y, width: 424, height: 88 }
  const right = { x: 464, y, width: 312, height: 88 }
  return [
    ...middle(left, set(left, suburb.toUpperCase(), { ...bold, lines: 2 }).marks),
    ...middle(right, set(right, `${state} ${postCode}`, { ...bold, align: 'right' }).marks),
  ]
}
