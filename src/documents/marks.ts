import type { Code128 } from './barcode/code128.ts'
import type { Matrix } from './barcode/data-matrix.ts'
import type { Barcodes } from './barcode-content.ts'
import type { FaceName } from './pdf/face.ts'

/**
 * The drawing commands of a page, in dots of a label printer (8 to the millimetre) from its top left corner.
 * PDF and ZPL draw the same commands, so that both show the same.
 */
export type Mark = Fill | Frame | Diamond | Text | Bars | Squares

export type Fill = { kind: 'fill'; x: number; y: number; width: number; height: number }
/** `line` is the thickness, inside the measure. */
export type Frame = { kind: 'frame'; x: number; y: number; width: number; height: number; line: number }
/** A square standing on its corner; `size` is its whole width. */
export type Diamond = { kind: 'diamond'; x: number; y: number; size: number; line: number }
/**
 * One line; `y` is the top of its capitals, `size` the type size; `x` and `width` are the area it is aligned
 * in.
 */
export type Text = {
  kind: 'text'
  x: number
  y: number
  width: number
  size: number
  face: FaceName
  align: 'left' | 'centre' | 'right'
  white: boolean
  text: string
  /** Its paragraph runs from right to left. */
  rightToLeft?: boolean
  /** There was no space for all of the text: this line ends in `…`. */
  cut?: true
}
export type Bars = {
  kind: 'bars'
  x: number
  y: number
  height: number
  module: number
  code: Code128
  widths: number[]
}
export type Squares = {
  kind: 'squares'
  x: number
  y: number
  module: number
  matrix: Matrix
  content: Barcodes['matrix']
}
