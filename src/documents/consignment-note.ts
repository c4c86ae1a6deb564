import { articleWords, kgWords } from './format.ts'
import { boxed } from './label/place.ts'
import type { Mark } from './marks.ts'
import {
  A4,
  type Block,
  bandMarks,
  type Column,
  EDGE,
  FOOT_TOP,
  factMarks,
  factRows,
  footMarks,
  headMarks,
  inFlow,
  joined,
  pagesOf,
  ROOM,
  rowMarks,
  wholeText,
} from './paper.ts'
import { pdfDocument } from './pdf/document.ts'
import { loadShaperFor } from './script/load-shaper-for.ts'

/** A booking for the courier's staff to read. `from` and `to` are in the direction of travel. */
export type ConsignmentNote = {
  carrierName: string
  serviceName: string
  consignmentNumber: string
  reference: string
  sandbox: boolean
  from: NoteEnd
  to: NoteEnd
  /** Times as people say them, with their place. */
  ready: string
  deliver: string
  /** What the driver must observe, one sentence each. */
  instructions: readonly string[]
  parcels: readonly NoteParcel[]
}

export type NoteEnd = { name: string; phone: string; lines: readonly string[] }
export type NoteParcel = {
  reference: string
  type: string
  quantity: number
  size: string
  weightKg: number
  dangerousGoods: string
  articleIds: readonly string[]
}

/** The note as a PDF, A4, with as many pages as its parcels need. */
export async function consignmentNotePdf(note: ConsignmentNote): Promise<Buffer> {
  await loadShaperFor(note)
  const head = headOf(note)
  const pages = await pagesOf(note.parcels, (parcel, y) => rowMarks(COLUMNS, cellsOf(parcel), y), {
    top: head.bottom,
    end: FOOT_TOP,
  })
  const foot = `Drover booking ${note.consignmentNumber}`
  return pdfDocument(
    A4,
    (function* () {
      for (const [index, rows] of pages.entries())
        yield [...head.marks, ...rows, ...footMarks(foot, index + 1, pages.length)]
    })(),
  )
}

const HALF = ROOM / 2 - 20

const COLUMNS: readonly Column[] = [
  { head: 'Parcel', x: 0, width: 270, face: 'code' },
  { head: 'Type', x: 290, width: 150 },
  { head: 'Pieces', x: 450, width: 100, align: 'right' },
  { head: 'Size in cm', x: 570, width: 230 },
  { head: 'Weight each', x: 810, width: 150, align: 'right' },
  { head: 'Dangerous', x: 980, width: 170 },
  { head: 'Articles', x: 1_160, width: 280, face: 'code' },
]

function headOf(note: ConsignmentNote): Block {
  const right = HALF + 40
  return inFlow(
    [
      (y) => bandMarks('Booking', note.consignmentNumber, y),
      (y) => ({ marks: note.sandbox ? testMarks(y + 14) : [], bottom: y + 70 }),
      (y) =>
        factRows(
          [
            [
              { name: 'Courier', value: `${note.carrierName}, ${note.serviceName}`, x: 0, width: HALF },
              { name: 'Order', value: note.reference, x: right, width: HALF },
            ],
            [
              { name: 'Ready for pickup', value: note.ready, x: 0, width: HALF },
              { name: 'Deliver', value: note.deliver, x: right, width: HALF },
            ],
          ],
          y + 16,
        ),
      (y) => joined([endMarks('From', note.from, { x: 0, y }), endMarks('To', note.to, { x: right, y })], y),
      (y) => noteMarks(note.instructions, y),
      (y) => headMarks(COLUMNS, y + 10),
    ],
    90,
    16,
  )
}

/** One end of the way: its name, address and phone. */
function endMarks(title: string, { name, phone, lines }: NoteEnd, { x, y }: { x: number; y: number }): Block {
  const [first = '', ...more] = [name, ...lines, phone].filter((words) => words !== '')
  return inFlow(
    [
      (top) => factMarks([{ name: title, value: first, x, width: HALF }], top),
      ...more.map(
        (words) => (top: number) =>
          wholeText({ x, y: top, width: HALF }, words, { face: 'bold', max: 34, min: 20 }),
      ),
    ],
    y,
    10,
  )
}

function noteMarks(instructions: readonly string[], y: number): Block {
  const [first, ...more] = instructions
  if (first === undefined) return { marks: [], bottom: y }
  return inFlow(
    [
      (top) => factMarks([{ name: 'Please note', value: first, x: 0, width: ROOM }], top),
      ...more.map(
        (words) => (top: number) =>
          wholeText({ x: 0, y: top, width: ROOM }, words, { face: 'bold', max: 38, min: 20 }),
      ),
    ],
    y,
    12,
  )
}

function testMarks(y: number): Mark[] {
  return boxed({ x: EDGE, y, width: 464, height: 44 }, 'TEST – DO NOT CARRY', {
    loud: true,
    max: 30,
    min: 18,
  })
}

function cellsOf({
  reference,
  type,
  quantity,
  size,
  weightKg,
  dangerousGoods,
  articleIds,
}: NoteParcel): string[] {
  return [reference, type, `${quantity}`, size, kgWords(weightKg), dangerousGoods, articleWords(articleIds)]
}
