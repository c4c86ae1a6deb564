import { set } from './label/place.ts'
import type { Mark } from './marks.ts'
import type { FaceName } from './pdf/face.ts'

/** A4 in dots (8 to the millimetre), and the area between its margins. */
export const A4 = { width: 1680, height: 2376 }
export const EDGE = 120
export const ROOM = A4.width - 2 * EDGE

/** A column of a table: its left edge and width between the margins. */
export type Column = { head: string; x: number; width: number; align?: 'left' | 'right'; face?: FaceName }

/** Black band across the page: the kind of document, and the name that people look for. */
export function bandMarks(title: string, name: string, y: number): Mark[] {
  const white = { face: 'bold', white: true } as const
  const box = { y: y + 30, height: 64 }
  return [
    { kind: 'fill', x: EDGE, y, width: ROOM, height: 108 },
    ...set({ ...box, x: EDGE + 30, width: 900 }, title, { ...white, max: 60, min: 30 }).marks,
    ...set({ ...box, x: EDGE + 950, width: ROOM - 980, y: y + 38 }, name, {
      ...white,
      max: 46,
      min: 22,
      align: 'right',
    }).marks,
  ]
}

/** A small name above its value, as on the labels. */
export function factMarks(name: string, value: string, at: { x: number; y: number; width: number }): Mark[] {
  const x = EDGE + at.x
  return [
    ...set({ x, y: at.y, width: at.width, height: 24 }, name, { max: 24 }).marks,
    ...set({ x, y: at.y + 30, width: at.width, height: 44 }, value, { face: 'bold', max: 38, min: 20 }).marks,
  ]
}

export function headMarks(columns: readonly Column[], y: number): Mark[] {
  const names = columns.flatMap(
    ({ head, x, width, align = 'left' }) =>
      set({ x: EDGE + x, y, width, height: 26 }, head, { face: 'bold', max: 26, min: 18, align }).marks,
  )
  return [...names, line(y + 36, 3)]
}

/** One row of a table with a fixed height; a cell may have as many lines as fit. */
export function rowMarks(
  columns: readonly Column[],
  cells: readonly string[],
  { y, height, size, lines = 1 }: { y: number; height: number; size: number; lines?: number },
): Mark[] {
  const marks = columns.flatMap(
    ({ x, width, align = 'left', face = 'plain' }, index) =>
      set({ x: EDGE + x, y, width, height }, cells[index] ?? '', { face, max: size, min: 18, lines, align })
        .marks,
  )
  return [...marks, line(y + height, 1)]
}

const ROW_HEIGHT = 58

/** A table whose rows have two lines each: its head at `y`, the rows below. */
export function tableMarks(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  y: number,
): Mark[] {
  return [
    ...headMarks(columns, y),
    ...rows.flatMap((cells, index) => {
      const at = { y: y + 52 + index * ROW_HEIGHT, height: ROW_HEIGHT - 10, size: 26, lines: 2 }
      return rowMarks(columns, cells, at)
    }),
  ]
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
    ...set({ x: EDGE, y, width: 1100, height: 24 }, words, { max: 24, min: 16 }).marks,
    ...set({ x: EDGE + 1100, y, width: ROOM - 1100, height: 24 }, `Page ${page} of ${pages}`, {
      max: 24,
      align: 'right',
    }).marks,
  ]
}

export function line(y: number, thick: number): Mark {
  return { kind: 'fill', x: EDGE, y, width: ROOM, height: thick }
}

/** Splits a list into pages of at most `most` rows; at least one page. */
export function pagesOf<T>(rows: readonly T[], most: number): T[][] {
  const count = Math.max(1, Math.ceil(rows.length / most))
  return Array.from({ length: count }, (_, page) => rows.slice(page * most, (page + 1) * most))
}
