import type { Mark } from '../marks.ts'
import { linearMarks, matrixMarks } from './barcodes.ts'
import type { Label, LabelArticle, Party } from './data.ts'
import { COMPACT_FACTS, compactFactMarks, factMarks, goodsMarks } from './facts.ts'
import { dutyMarks, instructionMarks } from './instructions.ts'
import { articleWithLatinBeside, withLatinBeside } from './latin-beside.ts'
import { receiverMarks, senderMarks } from './parties.ts'
import { boxed, LEFT, LEGIBLE, middle, set, WIDTH } from './place.ts'
import { fitsSections, placeSections, type Section, type Span } from './sections.ts'

/** 100 × 150 mm in dots. */
export const LABEL_SIZE = { width: 800, height: 1200 }

/**
 * The drawing commands of one article's label, in the driver's order: service, place, person, window, duties, bars.
 * Where the usual places are too small for the text, the sections share the space by what they need (`sections.ts`).
 * Where that is too small as well, the transliterations beside other scripts are left out.
 */
export function labelMarks(label: Label, article: LabelArticle): Mark[] {
  const [both, articleOfBoth] = [withLatinBeside(label), articleWithLatinBeside(article)]
  const withLatin = marksOf(both, articleOfBoth)
  return both !== label && isCut(withLatin) ? marksOf(label, article) : withLatin
}

function marksOf(label: Label, article: LabelArticle): Mark[] {
  const usual = usualMarks(label, article)
  return isCut(usual) ? compactMarks(label, article) : usual
}

/** Whether a text of the label is truncated. */
export function isCut(marks: readonly Mark[]): boolean {
  return marks.some((mark) => mark.kind === 'text' && mark.cut)
}

function usualMarks(label: Label, article: LabelArticle): Mark[] {
  const banners = bannerMarks(label, BANNER_TOP)
  const place = banners.length > 0 ? 172 : 126
  const person = place + 106
  return [
    ...bandMarks(label, 16, USUAL_BAND),
    ...banners,
    ...placeMarks(label.to, { top: place, bottom: place + 88 }, 2),
    rule(person - 14),
    ...receiverMarks(label, { top: person, bottom: 522 }),
    ...matrixMarks(matrixBox(person), article.barcodes.matrix),
    rule(526),
    ...factMarks(label, article, 537),
    rule(692),
    ...dutyMarks(label, { top: 702, bottom: 854 }, USUAL_DUTIES),
    ...instructionMarks(label, { top: 702, bottom: 854 }, USUAL_DUTIES),
    rule(860),
    ...senderMarks(label, { top: 871, bottom: 937 }),
    ...goodsMarks(article, { top: 869, bottom: 935 }),
    rule(936),
    ...barsMarks(article),
  ]
}

/**
 * Whether all texts of the label are printed in full: if they fit in their smallest type, without transliterations. It
 * takes a tenth of the time of the label itself.
 */
export function fitsLabel(label: Label, article: LabelArticle): boolean {
  return fitsBand(label) && fitsSections(...compactSections(label, article))
}

/**
 * Whether the band has space for the carrier and its service. This function, `fitsStore` and `fitsGoods` check the texts
 * of an account on their own: if they pass, they are printed in full with each delivery that keeps to `ALWAYS_FIT`.
 */
export function fitsBand(names: BandNames): boolean {
  return !isCut(bandMarks(names, 16, COMPACT_BAND, true))
}

/** Whether the store's texts fit in both directions, as the sender and as the recipient. */
export function fitsStore(store: Party): boolean {
  const isSmallest = true
  const whole = { to: store, deliveryId: '' }
  return (
    !isCut(senderMarks({ from: store }, { top: 0, bottom: ALWAYS_FREE, isSmallest })) &&
    !isCut(placeMarks(store, { top: 0, bottom: LEAST.place, isSmallest }, PLACE_LINES)) &&
    !isCut(receiverMarks(whole, { top: 0, bottom: LEAST.person, isSmallest }))
  )
}

/** Whether the name of the dangerous goods fits. */
export function fitsGoods(dangerousGoods: NonNullable<LabelArticle['dangerousGoods']>): boolean {
  return !isCut(goodsMarks({ dangerousGoods }, { top: 0, bottom: ALWAYS_FREE, isSmallest: true }))
}

/** The least height of each section, in dots. */
const LEAST = { place: 60, person: 214, duties: 142, sender: 66 }
const PLACE_LINES = 7
/**
 * The height always left for sender and dangerous goods if the delivery's own texts are no wider than `ALWAYS_FIT`
 * (tested in `label-mistakes.test.ts`; 116 is too much).
 */
const ALWAYS_FREE = 104

/** The same sections with the least space that each needs; what remains goes to the person and the instructions. */
function compactMarks(label: Label, article: LabelArticle): Mark[] {
  return [
    ...bandMarks(label, 16, COMPACT_BAND),
    ...bannerMarks(label, BANNER_TOP),
    ...placeSections(...compactSections(label, article), rule),
    ...barsMarks(article),
  ]
}

function compactSections(label: Label, article: LabelArticle): [Section[], Span] {
  const sections: Section[] = [
    { min: LEAST.place, draw: (span) => placeMarks(label.to, span, PLACE_LINES) },
    {
      min: LEAST.person,
      draw: (span) => [
        ...receiverMarks(label, span),
        ...matrixMarks(matrixBox(span.top), article.barcodes.matrix),
      ],
      grows: true,
    },
    { min: COMPACT_FACTS, draw: (span) => compactFactMarks(label, article, span) },
    {
      min: LEAST.duties,
      draw: (span) => [
        ...dutyMarks(label, span, COMPACT_DUTIES),
        ...instructionMarks(label, span, COMPACT_DUTIES),
      ],
      grows: true,
    },
    { min: LEAST.sender, draw: (span) => [...senderMarks(label, span), ...goodsMarks(article, span)] },
  ]
  const hasBanner = label.sandbox || label.mode === 'customer_pickup'
  return [sections, { top: hasBanner ? 170 : 124, bottom: 936 }]
}

const BANNER_TOP = 118
const [USUAL_DUTIES, COMPACT_DUTIES] = [290, 220]
/** Width of the carrier's name, and the largest type of the delivery type beside it. */
const [USUAL_BAND, COMPACT_BAND] = [
  { width: 356, lines: 1, leasts: [24, 20], type: 76 },
  { width: 520, lines: 3, leasts: [LEGIBLE, LEGIBLE], type: 40 },
] as const

function matrixBox(top: number) {
  return { x: 576, y: top + 4, width: 200, height: 200 }
}

function barsMarks({ barcodes }: LabelArticle): Mark[] {
  return linearMarks({ x: 0, y: 946, width: LABEL_SIZE.width, height: 232 }, barcodes.linear)
}

function rule(y: number): Mark {
  return { kind: 'fill', x: LEFT, y, width: WIDTH, height: 3 }
}

type BandNames = Pick<Label, 'carrierName' | 'serviceName' | 'serviceCode' | 'deliveryType'>

/** Carrier and service on black, the delivery type in the largest letters of the band. */
function bandMarks(
  label: BandNames,
  y: number,
  band: typeof USUAL_BAND | typeof COMPACT_BAND,
  isSmallest = false,
): Mark[] {
  const service = `${label.serviceName} · ${label.serviceCode}`
  const white = { face: 'bold', white: true, isSmallest } as const
  const { width, lines, leasts, type } = band
  const left = { x: LEFT + 18, width, height: 44 }
  const right = { x: LEFT + width + 28, y: y + 10, width: 706 - width, height: 90 }
  return [
    { kind: 'fill', x: LEFT, y, width: WIDTH, height: 96 },
    ...set({ ...left, y: y + (lines === 1 ? 16 : 5) }, label.carrierName, {
      ...white,
      max: 42,
      min: leasts[0],
      lines,
    }).marks,
    ...set({ ...left, y: y + (lines === 1 ? 57 : 51) }, service, { ...white, max: 36, min: leasts[1], lines })
      .marks,
    ...middle(
      { ...right, height: 76 },
      set(right, label.deliveryType.toUpperCase(), {
        ...white,
        max: type,
        min: Math.min(type, 20),
        align: 'right',
      }).marks,
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
function placeMarks(
  { suburb, state, postCode }: Party,
  { top, bottom, isSmallest = false }: Span,
  lines: number,
): Mark[] {
  const bold = { face: 'bold', max: 92, isSmallest } as const
  const height = bottom - top
  const left = { x: LEFT, y: top, width: 424, height }
  const right = { x: 464, y: top, width: 312, height }
  return [
    ...middle(left, set(left, suburb.toUpperCase(), { ...bold, min: lines > 2 ? LEGIBLE : 30, lines }).marks),
    ...middle(right, set(right, `${state} ${postCode}`, { ...bold, min: 30, align: 'right' }).marks),
  ]
}
