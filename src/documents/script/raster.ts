import { type FaceName, face } from '../pdf/face.ts'
import type { Line } from './line.ts'
import { type Outline, outlineOf } from './shaper.ts'

/** One bit for a dot, the rows padded to bytes; `left` and `top` are its place from the line's left edge and baseline. */
export type Bitmap = {
  left: number
  top: number
  width: number
  height: number
  bytesPerRow: number
  bits: Buffer
}

type Segment = readonly [x1: number, y1: number, x2: number, y2: number]

/** A curve of a letter is at most 30 dots long at our largest size. */
const STEPS = 8
const SAMPLES = 4
/** A dot is printed if this share of it is covered: below a half, since hairlines at 203 dpi would break. */
const COVERED = 0.42

/** The dots of a line at a type size, from the same outlines that the PDF draws; null if it has no ink. */
export function rasterLine(line: Line, name: FaceName, size: number): Bitmap | null {
  const segments = segmentsOf(line, name, size)
  if (segments.length === 0) return null
  const xs = segments.flatMap(([x1, , x2]) => [x1, x2])
  const ys = segments.flatMap(([, y1, , y2]) => [y1, y2])
  const lowest = (values: number[]) => Math.floor(values.reduce((a, b) => Math.min(a, b)))
  const highest = (values: number[]) => Math.ceil(values.reduce((a, b) => Math.max(a, b)))
  const [left, top] = [lowest(xs), lowest(ys)]
  const [width, height] = [highest(xs) - left, highest(ys) - top]
  const bytesPerRow = Math.ceil(width / 8)
  const bits = Buffer.alloc(bytesPerRow * height)
  const ink = new Float32Array(width)
  const rows = byRow(segments, top, height)
  for (let row = 0; row < height; row++) {
    ink.fill(0)
    const near = rows[row] as readonly Segment[]
    for (let sample = 0; sample < SAMPLES; sample++)
      addInk(ink, near, top + row + (sample + 0.5) / SAMPLES, left)
    for (let column = 0; column < width; column++) {
      if ((ink[column] as number) < COVERED * SAMPLES) continue
      bits[row * bytesPerRow + (column >> 3)]! |= 128 >> (column & 7)
    }
  }
  return { left, top, width, height, bytesPerRow, bits }
}

/** The segments that touch each row of dots. */
function byRow(segments: readonly Segment[], top: number, height: number): Segment[][] {
  const rows: Segment[][] = Array.from({ length: height }, () => [])
  for (const segment of segments) {
    const [, y1, , y2] = segment
    const end = Math.ceil(Math.max(y1, y2)) - top
    for (let row = Math.floor(Math.min(y1, y2)) - top; row < end; row++) rows[row]?.push(segment)
  }
  return rows
}

/** Adds the covered share of each dot along a horizontal line, by the non-zero winding rule. */
function addInk(ink: Float32Array, segments: readonly Segment[], y: number, left: number): void {
  const crossings: { x: number; direction: number }[] = []
  for (const [x1, y1, x2, y2] of segments) {
    if (y1 <= y === y2 <= y) continue
    crossings.push({ x: x1 + ((y - y1) * (x2 - x1)) / (y2 - y1) - left, direction: y2 > y1 ? 1 : -1 })
  }
  crossings.sort((a, b) => a.x - b.x)
  let winding = 0
  for (const [index, { x, direction }] of crossings.entries()) {
    winding += direction
    const next = crossings[index + 1]
    if (winding === 0 || !next) continue
    for (let column = Math.floor(x); column < next.x; column++)
      ink[column]! += Math.min(column + 1, next.x) - Math.max(column, x)
  }
}

function segmentsOf({ runs }: Line, name: FaceName, size: number): Segment[] {
  const segments: Segment[] = []
  for (const run of runs) {
    if (run.kind === 'script') {
      const scale = (size * run.font.family.scale) / 1000
      for (const { id, x, y } of run.glyphs) {
        const at = { x: ((run.x + x) * size) / 1000, y: (-y * size) / 1000, scale }
        addOutline(segments, outlineOf(run.font, run.weight, id), at)
      }
      continue
    }
    const { glyphs } = face(name)
    let x = run.x
    for (const character of run.text) {
      const glyph = glyphs.get(character.codePointAt(0) as number)
      if (!glyph) continue
      const outline = outlineOf(glyph.cut, 0, Number.parseInt(glyph.hex, 16))
      addOutline(segments, outline, { x: (x * size) / 1000, y: 0, scale: size / 1000 })
      x += glyph.width
    }
  }
  return segments
}

type Placement = { x: number; y: number; scale: number }

/** Straight lines for a glyph's path; y is downwards. */
function addOutline(segments: Segment[], outline: Outline, { x: left, y: baseline, scale }: Placement): void {
  let [startX, startY, x, y] = [0, 0, 0, 0]
  const lineTo = (toX: number, toY: number) => {
    segments.push([left + x * scale, baseline - y * scale, left + toX * scale, baseline - toY * scale])
    ;[x, y] = [toX, toY]
  }
  for (const [command, ...values] of outline) {
    if (command === 'Z') lineTo(startX, startY)
    else if (command === 'L') lineTo(values[0] as number, values[1] as number)
    else if (command === 'M') {
      ;[x, y] = values as [number, number]
      ;[startX, startY] = [x, y]
    } else {
      const [x0, y0] = [x, y]
      const [x1, y1, x2, y2, x3, y3] = values as [number, number, number, number, number, number]
      for (let step = 1; step <= STEPS; step++) {
        const [t, u] = [step / STEPS, 1 - step / STEPS]
        const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
        lineTo(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)
      }
    }
  }
}
