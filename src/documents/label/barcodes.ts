import { bars, code128 } from '../barcode/code128.ts'
import { dataMatrix } from '../barcode/data-matrix.ts'
import type { Barcodes } from '../barcode-content.ts'
import type { Mark } from '../marks.ts'
import { type Box, set } from './place.ts'

/** 25 mm: the height that hand scanners need for a parcel's bars. */
const BARS_HEIGHT = 200
/** Light margin on either side, in modules (ISO/IEC 15417). */
const QUIET = 10

/** The bars across the label, as wide as they fit (0.25–0.5 mm per module), with their text below. */
export function linearMarks(box: Box, { kind, text }: Barcodes['linear']): Mark[] {
  const code = code128(kind, text)
  const widths = bars(code)
  const modules = widths.reduce((sum, width) => sum + width, 0)
  const finest = box.width / (modules + 2 * QUIET)
  const module = finest >= 1 ? Math.min(4, Math.floor(finest)) : finest
  const x = Math.round(box.x + (box.width - modules * module) / 2)
  const words = set({ ...box, y: box.y + BARS_HEIGHT + 10 }, text, {
    face: 'code',
    max: 30,
    min: 16,
    align: 'centre',
  })
  return [{ kind: 'bars', x, y: box.y, height: BARS_HEIGHT, module, code, widths }, ...words.marks]
}

/** The matrix at 20 mm or a little more, flush right in its box. */
export function matrixMarks(box: Box, content: Barcodes['matrix']): Mark[] {
  const matrix = dataMatrix(content)
  const module = Math.max(1, Math.min(Math.ceil(160 / matrix.size), Math.floor(box.width / matrix.size)))
  return [{ kind: 'squares', x: box.x + box.width - matrix.size * module, y: box.y, module, matrix, content }]
}
