/** A row of a sheet with text in it, numbered as spreadsheets number it; cells as people see them. */
export type SheetRow = { row: number; cells: readonly string[] }

export type Sheet = {
  /** Null for CSV. */
  name: string | null
  rows: readonly SheetRow[]
  /** What is not a plain cell, by row: a merged range, a hidden row or column, a formula without its value. */
  oddities: readonly { row: number; message: string }[]
}

/** A file that cannot be read as a sheet: what is wrong and what to do, in words for its owner. */
export class UnreadableSheet extends Error {}

export function damagedWorkbook(): UnreadableSheet {
  return new UnreadableSheet('The workbook is damaged. Open it, save it again and try once more.')
}

export function farOutside(column: number, row: number): UnreadableSheet {
  return new UnreadableSheet(
    `Cell ${cellName(column, row)} is far outside the list. Delete it, or its whole row and column.`,
  )
}

/** What a reader accepts. A file may unpack to a thousand times its size, or hold only separators. */
export type SheetLimits = {
  rows: number
  /** Of all rows, and all sheets of a workbook, together; empty cells before the last one of a row count too. */
  cells: number
  /** The parts of a workbook that are read. */
  unpackedBytes: number
}

/** A price list has thousands of rows of nine columns; a larger file is not a price list. */
export const PRICE_LIST: SheetLimits = { rows: 50_000, cells: 500_000, unpackedBytes: 64 * 1024 * 1024 }
export const MAX_COLUMNS = 200
export const MAX_BYTES = 8 * 1024 * 1024
/** Visible worksheets; chart sheets don't count. */
export const MAX_SHEETS = 20
/** In one sheet: a sheet with more is not a plain list. */
export const MAX_ODDITIES = 1_000

/** `B3` of column 1, row 3. */
export function cellName(column: number, row: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}
