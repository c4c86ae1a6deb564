import { articleWords, kgWords } from './format.ts'
import { boxed } from './label/place.ts'
import type { Mark } from './marks.ts'
import { A4, bandMarks, type Column, EDGE, factMarks, footMarks, pagesOf, ROOM, tableMarks } from './paper.ts'
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
  const pages = pagesOf(note.parcels, ROWS)
  return pdfDocument(
    A4,
    (function* () {
      for (const [index, parcels] of pages.entries())
        yield pageMarks(note, parcels, { page: index + 1, pages: pages.length })
    })(),
  )
}

const ROWS = 20
const TABLE_TOP = 1_060
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

function pageMarks(
  note: ConsignmentNote,
  parcels: readonly NoteParcel[],
  { page, pages }: { page: number; pages: number },
): Mark[] {
  return [
    ...bandMarks('Booking', note.consignmentNumber, 90),
    ...(note.sandbox ? testMarks() : []),
    ...factMarks('Courier', `${note.carrierName}, ${note.serviceName}`, { x: 0, y: 284, width: HALF }),
    ...factMarks('Order', note.reference, { x: HALF + 40, y: 284, width: HALF }),
    ...factMarks('Ready for pickup', note.ready, { x: 0, y: 374, width: HALF }),
    ...factMarks('Deliver', note.deliver, {
      x: HALF + 40,
      y: 374,
      width: HALF,
    }),
    ...endMarks('From', note.from, 0),
    ...endMarks('To', note.to, HALF + 40),
    ...note.instructions
      .slice(0, 4)
      .flatMap((words, index) =>
        factMarks(index === 0 ? 'Please note' : '', words, { x: 0, y: 730 + index * 76, width: ROOM }),
      ),
    ...tableMarks(COLUMNS, parcels.map(cellsOf), TABLE_TOP),
    ...footMarks(`Drover booking ${note.consignmentNumber}`, page, pages),
  ]
}

function endMarks(title: string, { name, phone, lines }: NoteEnd, x: number): Mark[] {
  return [name, ...lines, phone]
    .filter((words) => words !== '')
    .slice(0, 5)
    .flatMap((words, index) =>
      factMarks(index === 0 ? title : '', words, { x, y: 464 + index * 50, width: HALF }),
    )
}

function testMarks(): Mark[] {
  return boxed({ x: EDGE, y: 212, width: 464, height: 44 }, 'TEST – DO NOT CARRY', {
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
