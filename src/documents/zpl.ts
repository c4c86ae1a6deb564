import { zplCode128 } from './barcode/code128.ts'
import { zplDataMatrix } from './barcode/data-matrix.ts'
import type { Diamond, Mark, Text } from './marks.ts'
import { isPlainLatin } from './script/line.ts'
import { zplGraphic } from './zpl-graphic.ts'

/** Font 0 of these printers is wider than ours: narrowed by this factor, its lines end where ours do. */
const NARROWED = 0.88

/**
 * One label in ZPL II for a 203 dpi printer. Callers' text appears only in `^FD`, with everything that ZPL
 * interprets escaped.
 */
export function zplLabel(size: { width: number; height: number }, marks: readonly Mark[]): string {
  return [...zplLines(size, marks)].join('')
}

/** The same in parts, so that other work can have its turn between two of them: a line of another script is a graphic. */
export function* zplLines(
  { width, height }: { width: number; height: number },
  marks: readonly Mark[],
): Generator<string> {
  yield `^XA\n^CI28\n^PW${width}\n^LL${height}\n^LH0,0\n`
  for (const mark of marks) {
    yield mark.kind === 'text' && !isPlainLatin(mark)
      ? `${zplGraphic(mark)}^FS\n`
      : `^FO${Math.round(mark.x)},${Math.round(mark.y)}${field(mark)}^FS\n`
  }
  yield '^XZ\n'
}

function field(mark: Mark): string {
  switch (mark.kind) {
    case 'fill':
      return `^GB${mark.width},${mark.height},${Math.min(mark.width, mark.height)}`
    case 'frame':
      return `^GB${mark.width},${mark.height},${mark.line}`
    case 'diamond':
      return diamond(mark)
    case 'text':
      return text(mark)
    case 'bars':
      return `^BY${Math.max(1, Math.floor(mark.module))}^BCN,${mark.height},N,N,N,N^FH^FD${escaped(zplCode128(mark.code))}`
    case 'squares':
      return `^BXN,${mark.module},200,,,,_^FD${zplDataMatrix(mark.content)}`
  }
}

function text({ size, width, align, white, text }: Text): string {
  const block = align === 'left' ? '' : `^FB${Math.round(width)},1,0,${align === 'right' ? 'R' : 'C'}`
  return `^A0N,${size},${Math.round(size * NARROWED)}${white ? '^FR' : ''}${block}^FH^FD${escaped(text)}`
}

/** Four strokes; the first starts at the diamond's own corner, the others have offsets of their own. */
function diamond({ x, y, size, line }: Diamond): string {
  const half = Math.round(size / 2)
  const stroke = (direction: 'R' | 'L') => `^GD${half},${half},${line},B,${direction}`
  return [
    stroke('R'),
    `^FO${x + half},${y}${stroke('L')}`,
    `^FO${x},${y + half}${stroke('L')}`,
    `^FO${x + half},${y + half}${stroke('R')}`,
  ].join('^FS\n')
}

/**
 * `^FH` hexadecimal for characters that ZPL interprets, and for everything beyond ASCII (UTF-8, as `^CI28`
 * sets).
 */
function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e]|[\^~_\\]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
}
