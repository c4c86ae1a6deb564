import { articleBarcodes } from '../../src/documents/barcode-content.ts'
import { linearMarks, matrixMarks } from '../../src/documents/label/barcodes.ts'
import { boxed, set } from '../../src/documents/label/place.ts'
import type { Mark } from '../../src/documents/marks.ts'
import { pdfDocument } from '../../src/documents/pdf/document.ts'
import { zplLabel } from '../../src/documents/zpl.ts'
import { A6 } from './layouts.ts'
import type { Item, LabelRequest, Shipment } from './state.ts'

/** A label for each item, as many per page as the layout allows. */
export function labelsPdf({ layout, offsetMm, shipments }: LabelRequest): Promise<Buffer> {
  const { cells, ...size } = layout
  const labels = labelsOf(shipments)
  const pages = Array.from({ length: Math.ceil(labels.length / cells.length) }, (_, page) =>
    labels
      .slice(page * cells.length, (page + 1) * cells.length)
      .flatMap((label, index) => moved(label, cells[index]!, offsetMm)),
  )
  return pdfDocument(size, pages)
}

/** The same for a 203 dpi printer, one label each. */
export function labelsZpl({ shipments }: LabelRequest): string {
  return labelsOf(shipments)
    .map((marks) => zplLabel(A6, marks))
    .join('')
}

function labelsOf(shipments: LabelRequest['shipments']): Mark[][] {
  return shipments.flatMap(({ shipment, items }) => items.map((item) => labelMarks(shipment, item)))
}

function moved(
  marks: readonly Mark[],
  [x, y]: readonly [number, number],
  offset: { left: number; top: number },
): Mark[] {
  return marks.map((mark) => ({ ...mark, x: mark.x + x + offset.left * 8, y: mark.y + y + offset.top * 8 }))
}

/** No more than 99 mm high, so that three fit on a page. Marked clearly as not a real label. */
function labelMarks(shipment: Shipment, item: Item): Mark[] {
  const { to, from, createdMs } = shipment
  const { product, tracking, measures } = item
  const number = shipment.items.indexOf(item) + 1
  // Without Australia Post's GTIN: these bars must not look like a parcel of theirs to a sorting machine.
  const codes = articleBarcodes({ articleId: tracking.articleId, postCode: to.postcode, madeAtMs: createdMs })
  const text = (x: number, y: number, width: number, words: string, max: number) =>
    set({ x, y, width, height: max + 4 }, words, { max, min: 16 }).marks
  const duty = item.authorityToLeave
    ? 'AUTHORITY TO LEAVE'
    : product.signature
      ? 'SIGNATURE ON DELIVERY'
      : 'DO NOT LEAVE UNATTENDED'
  return [
    ...boxed({ x: 24, y: 16, width: 540, height: 84 }, product.type, { loud: true, max: 44, min: 20 }),
    ...boxed({ x: 576, y: 16, width: 240, height: 84 }, 'FAKE – DO NOT POST', {
      loud: false,
      max: 24,
      min: 14,
    }),
    ...text(24, 122, 540, to.name, 34),
    ...text(24, 164, 540, to.businessName ?? '', 28),
    ...to.lines.flatMap((line, index) => text(24, 202 + index * 36, 540, line, 30)),
    ...text(24, 318, 540, `${to.suburb} ${to.state} ${to.postcode}`.toUpperCase(), 40),
    ...matrixMarks({ x: 576, y: 122, width: 240, height: 240 }, codes.matrix),
    ...boxed({ x: 24, y: 376, width: 400, height: 48 }, duty, { loud: false, max: 26, min: 16 }),
    ...text(440, 380, 376, `Item ${number} of ${shipment.items.length}, ${measures.weightKg} kg`, 26),
    ...text(440, 412, 376, `Con. ${tracking.consignmentId}`, 26),
    ...text(24, 440, 792, item.dangerousGoods ? 'CONTAINS DANGEROUS GOODS' : '', 28),
    ...text(24, 478, 792, `From ${from.name}, ${from.suburb} ${from.state} ${from.postcode}`, 24),
    ...linearMarks({ x: 0, y: 520, width: A6.width, height: 240 }, codes.linear),
  ]
}
