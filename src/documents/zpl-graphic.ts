import type { Text } from './marks.ts'
import { CAPITALS } from './pdf/face.ts'
import { layOutLine } from './script/line.ts'
import { type Bitmap, rasterLine } from './script/raster.ts'

/**
 * A line that printers have no font for, as a graphic field: `^FO` and `^GFA` with Zebra's alternative data compression
 * (ZPL II Programming Guide, "Alternative Data Compression Scheme for ~DG and ~DB Commands"). Empty without ink.
 */
export function zplGraphic({
  x,
  y,
  width,
  size,
  face,
  align,
  white,
  text,
  rightToLeft = false,
}: Text): string {
  const graphic = graphicOf({ face, size, text, rightToLeft })
  if (!graphic) return ''
  const { bitmap, data } = graphic
  const spare = align === 'left' ? 0 : width - graphic.width
  const left = Math.round(x + (align === 'centre' ? spare / 2 : spare)) + bitmap.left
  const top = Math.round(y + CAPITALS * size) + bitmap.top
  const total = bitmap.bits.length
  // A field has no place left of the label or above it.
  const place = `^FO${Math.max(0, left)},${Math.max(0, top)}`
  return `${place}${white ? '^FR' : ''}^GFA,${total},${total},${bitmap.bytesPerRow},${data}`
}

type Graphic = { bitmap: Bitmap; data: string; width: number }

/** The lines that were drawn last: each parcel of a delivery has the same ones. */
const drawn = new Map<string, Graphic | null>()
const MAX_DRAWN = 100

function graphicOf(of: Required<Pick<Text, 'face' | 'size' | 'text' | 'rightToLeft'>>): Graphic | null {
  const key = JSON.stringify(of)
  const known = drawn.get(key)
  if (known !== undefined) return known
  const line = layOutLine(of.face, of.text, of.rightToLeft)
  const bitmap = rasterLine(line, of.face, of.size)
  const graphic = bitmap && { bitmap, data: packed(bitmap), width: (line.width * of.size) / 1000 }
  if (drawn.size >= MAX_DRAWN) drawn.clear()
  drawn.set(key, graphic)
  return graphic
}

function packed({ bits, bytesPerRow, height }: Bitmap): string {
  let out = ''
  let above = ''
  for (let row = 0; row < height; row++) {
    const digits = bits.toString('hex', row * bytesPerRow, (row + 1) * bytesPerRow).toUpperCase()
    out += digits === above ? ':' : packedRow(digits)
    above = digits
  }
  return out
}

/** `,` fills the row with zeros; a count before a digit repeats it. */
function packedRow(digits: string): string {
  const inked = digits.replace(/0+$/, '')
  const runs = inked.replace(/(.)\1{2,}/g, (run, digit: string) => counted(run.length) + digit)
  return inked.length < digits.length ? `${runs},` : runs
}

/** G to Y are 1 to 19; g to z are 20, 40 … 400. */
function counted(count: number): string {
  const letter = (first: string, place: number) => String.fromCharCode(first.charCodeAt(0) + place - 1)
  let out = ''
  for (let rest = count; rest > 0; ) {
    const twenties = Math.min(20, Math.floor(rest / 20))
    if (twenties > 0) out += letter('g', twenties)
    rest -= twenties * 20
    if (rest > 0 && rest < 20) {
      out += letter('G', rest)
      rest = 0
    }
  }
  return out
}
