import type { Fill, Frame, Mark, Text } from '../marks.ts'
import { CAPITALS, type FaceName } from '../pdf/face.ts'
import { fit, wrap } from '../pdf/fit.ts'
import { printable } from '../pdf/printable.ts'
import { isRightToLeft, linesRightToLeft } from '../script/line.ts'

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
  /** Only the smallest type is tried: enough to learn whether the text fits. */
  isSmallest?: boolean
}

/** From the top of one line's capitals to the next, as a share of the size. */
const LEADING = 1.12
/** Two lines with marks need more height: Burmese has marks at 1.15 of the size. */
const MARKS_LEADING = 0.06

/**
 * The smallest type that is readable at arm's length: its small letters are 0.9 mm high, the least that Regulation
 * (EU) 1169/2011, article 13(3), allows on small packages.
 */
export const LEGIBLE = 14

/**
 * Fits text into a box: shrinks it as needed and finally cuts it with `…`; returns its drawing commands and
 * its bottom.
 */
export function set(box: Box, value: string, style: Style): { marks: Text[]; bottom: number } {
  const { face = 'plain', lines = 1, align = 'left', white = false, breaks = false } = style
  const { min = style.max, isSmallest = false } = style
  const max = isSmallest ? min : style.max
  const words = printable(value, face, { lines: breaks && lines > 1 })
  if (words === '') return { marks: [], bottom: box.y }
  const room = { width: box.width, max, min, lines }
  let fitted = fit(face, words, room)
  const leading = LEADING + spaceForMarks(words, MARKS_LEADING)
  while (heightOf(fitted, leading) > box.height && fitted.size > min) {
    fitted = fit(face, words, { ...room, max: Math.max(min, fitted.size - 2) })
  }
  const maxLines = Math.max(1, Math.floor((box.height - fitted.size * 0.7) / (fitted.size * leading)) + 1)
  if (fitted.lines.length > maxLines)
    fitted = fit(face, words, { ...room, max: fitted.size, lines: maxLines })
  const { size, lines: shown, cut } = fitted
  const rightToLeft = linesRightToLeft(words, shown)
  const marks = shown.map(
    (text, index): Text => ({
      kind: 'text',
      x: box.x,
      y: Math.round(box.y + index * size * leading),
      width: box.width,
      size,
      face,
      // Lines of a paragraph that is read from the right begin below each other.
      align: rightToLeft[index] && breaks && align === 'left' ? 'right' : align,
      white,
      text,
      ...(rightToLeft[index] ? { rightToLeft: true } : {}),
      ...(cut && index === shown.length - 1 ? { cut } : {}),
    }),
  )
  return { marks, bottom: Math.round(box.y + heightOf(fitted, leading)) }
}

/** One text of a stack, with its largest and smallest size. */
export type Line = { words: string; face: FaceName; max: number; min: number }

/** Line height in a stack as a share of the size: names are set closer than running text. */
const SPACING = 1.04
/** Space above and below a line of a stack for its marks, as a share of its size. */
const [MARKS_ABOVE, MARKS_BELOW] = [0.08, 0.06]
/** A line may be this much smaller than its neighbours before it takes a second line. */
const SHRINKS_TO = 0.72

/**
 * Texts one below the other in a box. Each is wrapped, and all shrink together until they fit; if they do not fit at
 * their smallest, the last lines are left out and the one before them is marked as cut.
 */
export function stack(box: Box, lines: readonly Line[], isSmallest = false): Text[] {
  const shown = lines
    .map((line) => ({ ...line, words: printable(line.words, line.face, { lines: true }) }))
    .filter(({ words }) => words !== '')
  if (isSmallest) return stackedAt(box, shown, 0).marks
  const usual = stackedAt(box, shown, 1)
  if (usual.isWhole) return usual.marks
  let best = stackedAt(box, shown, 0)
  if (!best.isWhole) return best.marks
  let [low, high] = [0, 1]
  while (high - low > 0.03) {
    const share = (low + high) / 2
    const tried = stackedAt(box, shown, share)
    if (tried.isWhole) [low, best] = [share, tried]
    else high = share
  }
  return best.marks
}

/** The stack with each text at a share of its largest size, and whether all of it is in the box. */
function stackedAt(box: Box, lines: readonly Line[], share: number): { marks: Text[]; isWhole: boolean } {
  const marks = lines.flatMap((line) => stacked(box, line, share))
  let y = box.y
  for (const [index, mark] of marks.entries()) {
    if (index > 0) y += mark.size * spaceForMarks(mark.text, MARKS_ABOVE)
    mark.y = Math.round(y)
    y += mark.size * (SPACING + spaceForMarks(mark.text, MARKS_BELOW))
  }
  const inside = marks.filter((mark) => mark.y + mark.size * 0.92 <= box.y + box.height + 1)
  const last = inside.at(-1)
  if (last && inside.length < marks.length) last.cut = true
  return { marks: inside, isWhole: !marks.some(({ cut }) => cut) && inside.length === marks.length }
}

/**
 * The lines of one text at its share of the largest size: smaller on fewer lines, if that is enough. Paragraphs share a
 * line if all of them fit on it.
 */
function stacked(box: Box, line: Line, share: number): Text[] {
  const { x, width } = box
  const { face, max, min: smallest } = line
  const size = Math.max(smallest, Math.floor(max * share))
  const min = Math.max(smallest, Math.floor(size * SHRINKS_TO))
  const words = line.words.replaceAll('\n', ' ')
  const count = wrap(face, words, (width * 1000) / min, MAX_LINES).lines.length
  if (count > 1 && words !== line.words) {
    const paragraphs = line.words.split('\n')
    return paragraphs.flatMap((paragraph) => stacked(box, { ...line, words: paragraph }, share))
  }
  const fitted = fit(face, words, { width, max: size, min, lines: count })
  return fitted.lines.map((text, index) => ({
    kind: 'text',
    x,
    y: 0,
    width,
    size: fitted.size,
    face,
    align: 'left',
    white: false,
    text,
    ...(isRightToLeft(words) ? { rightToLeft: true } : {}),
    ...(fitted.cut && index === fitted.lines.length - 1 ? { cut: true } : {}),
  }))
}

/** The space that other scripts get above or below: their marks are beyond Latin capitals and descenders. */
export function spaceForMarks(words: string, space: number): number {
  return /[^ -\u024f\u2000-\u22ff\n]/.test(words) ? space : 0
}

/** No text of a stack has more lines. */
const MAX_LINES = 40

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
function heightOf({ size, lines }: { size: number; lines: readonly string[] }, leading: number): number {
  return size * ((lines.length - 1) * leading + 0.92)
}
