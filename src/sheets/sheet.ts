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

/** Larger lists are something else; one stray cell at the end of a sheet is a slip. */
export const MAX_ROWS = 50_000
export const MAX_COLUMNS = 200
/** Price lists have thousands of rows; a larger file is something different. */
export const MAX_BYTES = 8 * 1024 * 1024

/** `B3` of column 1, row 3. */
export function cellName(column: number, row: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}
