import type { Fill, Frame, Mark, Text } from '../marks.ts'
import { CAPITALS, type FaceName } from '../pdf/face.ts'
import { fit } from '../pdf/fit.ts'
import { printable } from '../pdf/printable.ts'

/** The label's left margin and the width between its margins, in dots: 3 mm on each side. */
export const LEFT = 24
export const WIDTH = 752

/** An area of the page in dots. */
export type Box = { x: number; y: number; width: number; height: number }
export type Style = {
  face?: FaceName
  /** Type size in dots: the largest, and the smallest that is readable at arm's length. */
  max: number
  min?: number
  /** Maximum number of lines. */
  lines?: number
  align?: Text['align']
  white?: boolean
  /** Keep the writer's own line breaks. */
  breaks?: boolean
}

/** From the top of one line's capitals to the next, as a share of the size. */
const LEADING = 1.12

/**
 * Fits text into a box: shrinks it as needed and finally cuts it with `…`; returns its drawing commands and
 * its bottom.
 */
export function set(box: Box, value: string, style: Style): { marks: Text[]; bottom: number } {
  const { face = 'plain', max, min = max, lines = 1, align = 'left', white = false, breaks = false } = style
  const words = printable(value, face, { lines: breaks && lines > 1 })
  if (words === '') return { marks: [], bottom: box.y }
  const room = { width: box.width, max, min, lines }
  let fitted = fit(face, words, room)
  while (heightOf(fitted) > box.height && fitted.size > min) {
    fitted = fit(face, words, { ...room, max: Math.max(min, fitted.size - 2) })
  }
  const most = Math.max(1, Math.floor((box.height - fitted.size * 0.7) / (fitted.size * LEADING)) + 1)
  if (fitted.lines.length > most) fitted = fit(face, words, { ...room, max: fitted.size, lines: most })
  const marks = fitted.lines.map(
    (text, index): Text => ({
      kind: 'text',
      x: box.x,
      y: Math.round(box.y + index * fitted.size * LEADING),
      width: box.width,
      size: fitted.size,
      face,
      align,
      white,
      text,
    }),
  )
  return { marks, bottom: Math.round(box.y + heightOf(fitted)) }
}

/** Centred text in a box that is framed, or black with white text. */
export function boxed(box: Box, value: string, { loud, ...style }: Style & { loud: boolean }): Mark[] {
  const inner = { ...box, x: box.x + 10, width: box.width - 20 }
  const { marks } = set(inner, value, { face: 'bold', align: 'centre', white: loud, ...style })
  const around: Fill | Frame = loud ? { kind: 'fill', ...box } : { kind: 'frame', ...box, line: 3 }
  return [around, ...middle(box, marks)]
}

/** Moves lines that start at the top of a box to its vertical middle, measured by their capitals. */
export function middle(box: Box, marks: readonly Text[]): Text[] {
  const last = marks.at(-1)
  if (!last) return []
  const spare = box.y + box.height - (last.y + last.size * CAPITALS)
  return marks.map((mark) => ({ ...mark, y: mark.y + Math.round(spare / 2) }))
}

/** Height from the first line's capitals to the last line's descenders. */
function heightOf({ size, lines }: { size: number; lines: readonly string[] }): number {
  return size * ((lines.length - 1) * LEADING + 0.92)
}
