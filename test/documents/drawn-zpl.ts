import { CAPITALS } from '../../src/documents/pdf/face.ts'
import { layOutLine } from '../../src/documents/script/line.ts'
import { type Bitmap, rasterLine } from '../../src/documents/script/raster.ts'
import { readGraphic } from './zpl-graphics.ts'

/** The dots that one field of a label prints. */
export type DrawnField = {
  kind: 'graphic' | 'text' | 'box' | 'barcode'
  isReversed: boolean
  x: number
  y: number
  width: number
  height: number
  isInked(x: number, y: number): boolean
}

const FIELD =
  /\^FO(\d+),(\d+)(\^FR)?\^(?:(GFA)|(GB)(\d+),(\d+),(\d+)|(GD)|A0N,(\d+),\d+(\^FR)?(?:\^FB(\d+),1,0,([RC]))?\^FH\^FD([^^]*)|(BY|BX))/g

/**
 * Draws a ZPL label field by field. Graphics and boxes are exact. Texts in the printer's font are drawn in our Latin
 * typeface at the same size, and a barcode is a frame that shows only its position.
 */
export function drawZpl(zpl: string): DrawnField[] {
  const graphics = readGraphic(zpl)
  return [...zpl.matchAll(FIELD)].flatMap((match): DrawnField[] => {
    const [
      ,
      left,
      top,
      reversed,
      graphic,
      box,
      boxWidth,
      boxHeight,
      line,
      ,
      size,
      white,
      block,
      align,
      text,
    ] = match
    const [x, y] = [Number(left), Number(top)]
    const isReversed = (reversed ?? white) !== undefined
    if (graphic) {
      const field = graphics.shift()
      if (!field) throw new Error('A graphic field cannot be decoded.')
      return [{ kind: 'graphic', ...field, isReversed }]
    }
    if (box) {
      const [width, height, thick] = [Number(boxWidth), Number(boxHeight), Number(line)]
      const isInked = (atX: number, atY: number) =>
        isInside(atX - x, atY - y, width, height) &&
        !isInside(atX - x - thick, atY - y - thick, width - 2 * thick, height - 2 * thick)
      return [{ kind: 'box', isReversed, x, y, width, height, isInked }]
    }
    if (text === undefined) return []
    return drawText(decoded(text), { x, y, size: Number(size), width: Number(block ?? 0), align, isReversed })
  })
}

function isInside(x: number, y: number, width: number, height: number): boolean {
  return x >= 0 && y >= 0 && x < width && y < height
}

type At = {
  x: number
  y: number
  size: number
  width: number
  align: string | undefined
  isReversed: boolean
}

function drawText(text: string, { x, y, size, width, align, isReversed }: At): DrawnField[] {
  const { bitmap, lineWidth } = dotsOf(text, size)
  if (!bitmap) return []
  const spare = align ? width - lineWidth : 0
  const left = Math.round(x + (align === 'C' ? spare / 2 : spare)) + bitmap.left
  const top = Math.round(y + CAPITALS * size) + bitmap.top
  const isInked = (atX: number, atY: number) => {
    const [column, row] = [atX - left, atY - top]
    if (!isInside(column, row, bitmap.width, bitmap.height)) return false
    return (
      (((bitmap.bits[row * bitmap.bytesPerRow + (column >> 3)] as number) >> (7 - (column & 7))) & 1) === 1
    )
  }
  return [{ kind: 'text', isReversed, x: left, y: top, width: bitmap.width, height: bitmap.height, isInked }]
}

type Dots = { bitmap: Bitmap | null; lineWidth: number }
/** All labels have these captions. */
const drawn = new Map<string, Dots>()

function dotsOf(text: string, size: number): Dots {
  const key = `${size} ${text}`
  const known = drawn.get(key)
  if (known) return known
  const line = layOutLine('plain', text, false)
  const made = { bitmap: rasterLine(line, 'plain', size), lineWidth: (line.width * size) / 1000 }
  drawn.set(key, made)
  return made
}

function decoded(field: string): string {
  const bytes = field.replace(/_([0-9A-F]{2})/g, (_, pair: string) =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
