import { set } from './label/place.ts'
import type { Mark, Text } from './marks.ts'
import type { FaceName } from './pdf/face.ts'
import { turnsOf } from './turns.ts'

/** A4 in dots (8 to the millimetre), and the area between its margins. */
export const A4 = { width: 1680, height: 2376 }
export const EDGE = 120
export const ROOM = A4.width - 2 * EDGE

/** Marks, and where they end. */
export type Block = { marks: Mark[]; bottom: number }
/** An area between the margins whose height is not limited. */
type At = { x: number; y: number; width: number }
type Look = { face?: FaceName; max: number; min: number; lines?: number; align?: Text['align'] }

/** The most lines of one text: more than the longest accepted text has, and less than a page. */
const MAX_LINES = 60

/** A text in full: it shrinks to fit its usual lines, and takes more lines where that is not enough. */
export function wholeText({ x, y, width }: At, words: string, { lines = 1, ...look }: Look): Block {
  const box = { x: EDGE + x, y, width }
  const usual = set({ ...box, height: Math.ceil(look.max * 1.12 * lines) }, words, { ...look, lines })
  if (!usual.marks.some(({ cut }) => cut)) return usual
  return set({ ...box, height: A4.height }, words, { ...look, max: look.min, lines: MAX_LINES, breaks: true })
}

/** Black band across the page: the kind of document, and the name that people look for. */
export function bandMarks(title: string, name: string, y: number): Block {
  const white = { face: 'bold', white: true } as const
  const text = { x: EDGE + 950, width: ROOM - 980, y: y + 38, height: A4.height }
  const look = { ...white, max: 46, min: 22, align: 'right' } as const
  const usual = set({ ...text, height: 64 }, name, look)
  const isCut = usual.marks.some(({ cut }) => cut)
  const shown = isCut ? set(text, name, { ...look, max: 22, lines: MAX_LINES }) : usual
  const height = Math.max(108, shown.bottom - y + 24)
  const head = set({ x: EDGE + 30, width: 900, y: y + 30, height: 64 }, title, { ...white, max: 60, min: 30 })
  return {
    marks: [{ kind: 'fill', x: EDGE, y, width: ROOM, height }, ...head.marks, ...shown.marks],
    bottom: y + height,
  }
}

/** A small name above its value, as on the labels. */
export type Fact = { name: string; value: string; x: number; width: number }

/** Facts side by side; the longest value decides where they end. */
export function factMarks(facts: readonly Fact[], y: number): Block {
  const blocks = facts.map(({ name, value, x, width }) => {
    const head = set({ x: EDGE + x, y, width, height: 24 }, name, { max: 24, min: 16 })
    const { marks, bottom } = wholeText({ x, y: y + 30, width }, value, { face: 'bold', max: 38, min: 20 })
    return { marks: [...head.marks, ...marks], bottom: Math.max(bottom, y + 74) }
  })
  return joined(blocks, y)
}

/** Rows of facts, one below the other. */
export function factRows(rows: readonly (readonly Fact[])[], y: number, gap = 16): Block {
  return inFlow(
    rows.map((facts) => (top: number) => factMarks(facts, top)),
    y,
    gap,
  )
}

/** Blocks one below the other, each drawn where the one before ends. */
export function inFlow(blocks: readonly ((y: number) => Block)[], y: number, gap = 0): Block {
  const marks: Mark[] = []
  let bottom = y
  for (const [index, block] of blocks.entries()) {
    const drawn = block(index === 0 ? bottom : bottom + gap)
    marks.push(...drawn.marks)
    bottom = drawn.bottom
  }
  return { marks, bottom }
}

/** Blocks side by side. */
export function joined(blocks: readonly Block[], y: number): Block {
  return {
    marks: blocks.flatMap(({ marks }) => marks),
    bottom: Math.max(y, ...blocks.map(({ bottom }) => bottom)),
  }
}

/** A column of a table: its left edge and width between the margins. */
export type Column = { head: string; x: number; width: number; align?: 'left' | 'right'; face?: FaceName }

export function headMarks(columns: readonly Column[], y: number): Block {
  const names = columns.flatMap(
    ({ head, x, width, align = 'left' }) =>
      set({ x: EDGE + x, y, width, height: 26 }, head, { face: 'bold', max: 26, min: 18, align }).marks,
  )
  return { marks: [...names, line(y + 36, 3)], bottom: y + 52 }
}

/** One row of a table: two lines usually, and as many as its longest cell needs. */
export function rowMarks(
  columns: readonly Column[],
  cells: readonly string[],
  y: number,
  { size = 26, min = 58 }: { size?: number; min?: number } = {},
): Block {
  const blocks = columns.map(({ x, width, align = 'left', face = 'plain' }, index) =>
    wholeText({ x, y, width }, cells[index] ?? '', { face, max: size, min: 18, lines: 2, align }),
  )
  const { marks, bottom } = joined(blocks, y + min - 18)
  return { marks: [...marks, line(bottom + 8, 1)], bottom: bottom + 18 }
}

/**
 * The rows of a table on as many pages as they need: each page starts at `top` and ends above `end`. At least one page.
 * Other work of the process gets its turn between the rows.
 */
export async function pagesOf<T>(
  rows: readonly T[],
  draw: (row: T, y: number) => Block,
  { top, end }: { top: number; end: number },
): Promise<Mark[][]> {
  const pages: Mark[][] = [[]]
  const turn = turnsOf()
  let y = top
  for (const row of rows) {
    let drawn = draw(row, y)
    if (drawn.bottom > end && y > top) {
      pages.push([])
      drawn = draw(row, top)
    }
    pages.at(-1)!.push(...drawn.marks)
    y = drawn.bottom
    await turn()
  }
  return pages
}

/** A signature line, with the signer's role below it. */
export function signatureMarks(words: string, at: { x: number; y: number; width: number }): Mark[] {
  return [
    { kind: 'fill', x: EDGE + at.x, y: at.y, width: at.width, height: 2 },
    ...set({ x: EDGE + at.x, y: at.y + 14, width: at.width, height: 26 }, words, { max: 26, min: 18 }).marks,
  ]
}

/** The page number, and the text of every page's foot. */
export function footMarks(words: string, page: number, pages: number): Mark[] {
  const y = A4.height - 90
  return [
    line(y - 16, 1),
    ...set({ x: EDGE, y, width: 1100, height: 80 }, words, { max: 24, min: 16, lines: 4 }).marks,
    ...set({ x: EDGE + 1100, y, width: ROOM - 1100, height: 24 }, `Page ${page} of ${pages}`, {
      max: 24,
      align: 'right',
    }).marks,
  ]
}

/** Where a page's own contents end, above its foot. */
export const FOOT_TOP = A4.height - 120

export function line(y: number, thick: number): Mark {
  return { kind: 'fill', x: EDGE, y, width: ROOM, height: thick }
}
