import { articleWords, kgWords, timeWords } from './format.ts'
import { boxed } from './label/place.ts'
import type { Mark } from './marks.ts'
import {
  A4,
  type Block,
  bandMarks,
  type Column,
  EDGE,
  type Fact,
  factRows,
  footMarks,
  headMarks,
  inFlow,
  pagesOf,
  ROOM,
  rowMarks,
  signatureMarks,
} from './paper.ts'
import { pdfDocument } from './pdf/document.ts'
import { loadShaperFor } from './script/load-shaper-for.ts'

/** A manifest as the paper that accompanies the handover. */
export type OrderSummary = {
  carrierName: string
  group: string
  dangerousGoods: boolean
  manifestId: string
  /** The carrier's order; null until it is submitted, which every page then says. */
  orderId: string | null
  sandbox: boolean
  store: { name: string; place: string }
  /** The store's local time as ISO 8601. */
  madeAt: string
  submittedAt: string | null
  /** Dollars; null until the carrier gives it. */
  totalCost: number | null
  lines: readonly SummaryLine[]
}

export type SummaryLine = {
  reference: string
  consignmentNumber: string
  to: string
  units: number
  weightKg: number
  articleIds: readonly string[]
  /** `3 UN1266, 9 UN3481`; empty without dangerous goods. */
  dangerousGoods: string
}

/** The order summary as a PDF, for the driver to count and both to sign. A4, as many pages as needed. */
export async function orderSummaryPdf(summary: OrderSummary): Promise<Buffer> {
  await loadShaperFor(summary)
  const head = headOf(summary)
  const pages = await pagesOf(summary.lines, (line, y) => rowMarks(COLUMNS, cellsOf(line), y), {
    top: head.bottom,
    end: SIGNATURES_TOP - 60,
  })
  const foot = `Drover manifest ${summary.manifestId}, made ${timeWords(summary.madeAt)}`
  return pdfDocument(
    A4,
    (function* () {
      for (const [index, rows] of pages.entries())
        yield [
          ...head.marks,
          ...rows,
          ...(index + 1 === pages.length ? signatures(SIGNATURES_TOP) : []),
          ...footMarks(foot, index + 1, pages.length),
        ]
    })(),
  )
}

const SIGNATURES_TOP = A4.height - 320

const COLUMNS: readonly Column[] = [
  { head: 'Order', x: 0, width: 270, face: 'code' },
  { head: 'Consignment', x: 290, width: 260, face: 'code' },
  { head: 'To', x: 570, width: 230 },
  { head: 'Parcels', x: 810, width: 80, align: 'right' },
  { head: 'Weight', x: 900, width: 90, align: 'right' },
  { head: 'Dangerous', x: 1010, width: 140 },
  { head: 'Articles', x: 1160, width: 280, face: 'code' },
]

function headOf(summary: OrderSummary): Block {
  return inFlow(
    [
      (y) => bandMarks('Manifest', summary.orderId ?? 'not submitted', y),
      (y) => ({ marks: bannerMarks(summary, y + 14), bottom: y + 70 }),
      (y) => factRows(factsOf(summary), y + 16),
      (y) => headMarks(COLUMNS, y + 26),
    ],
    90,
  )
}

function factsOf({ carrierName, group, store, submittedAt, lines, totalCost }: OrderSummary): Fact[][] {
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  const kg = lines.reduce((sum, line) => sum + line.weightKg, 0)
  const cost = totalCost === null ? 'not known yet' : `$${totalCost.toFixed(2)}`
  const submitted = submittedAt === null ? 'no' : timeWords(submittedAt)
  return [
    [
      { name: 'Carrier', value: `${carrierName}, ${group}`, x: 0, width: 660 },
      { name: 'From', value: `${store.name}, ${store.place}`, x: 690, width: 750 },
    ],
    [
      { name: 'Deliveries', value: `${lines.length}`, x: 0, width: 200 },
      { name: 'Parcels', value: `${units}`, x: 230, width: 200 },
      { name: 'Weight', value: kgWords(kg), x: 460, width: 200 },
      { name: 'Carrier’s cost, GST in', value: cost, x: 690, width: 300 },
      { name: 'Submitted', value: submitted, x: 1010, width: 430 },
    ],
  ]
}

function bannerMarks({ orderId, dangerousGoods, sandbox }: OrderSummary, y: number): Mark[] {
  const banners = [
    ...(orderId === null ? ['DRAFT – NOT SUBMITTED'] : []),
    ...(dangerousGoods ? ['DANGEROUS GOODS'] : []),
    ...(sandbox ? ['TEST – DO NOT CARRY'] : []),
  ]
  const width = 464
  return banners.flatMap((words, index) =>
    boxed({ x: EDGE + index * (width + 24), y, width, height: 44 }, words, {
      loud: index === 0,
      max: 30,
      min: 18,
    }),
  )
}

function signatures(y: number): Mark[] {
  const width = (ROOM - 60) / 2
  return [
    ...signatureMarks('Handed over for the store: name, signature, date and time', { x: 0, y, width }),
    ...signatureMarks('Collected by the driver: name, signature, date and time', { x: width + 60, y, width }),
  ]
}

function cellsOf(line: SummaryLine): string[] {
  const { reference, consignmentNumber, to, units, weightKg, dangerousGoods, articleIds } = line
  return [
    reference,
    consignmentNumber,
    to,
    `${units}`,
    kgWords(weightKg),
    dangerousGoods,
    articleWords(articleIds),
  ]
}
