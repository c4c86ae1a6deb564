import { didYouMean, nearest } from './nearest.ts'

/** A row with text in it, numbered as spreadsheets number it. */
type SheetRow = { row: number; cells: readonly string[] }
/** One sheet of a file; `oddities`: what is not a plain cell, such as a merged range. */
export type SheetInput = {
  name: string | null
  rows: readonly SheetRow[]
  oddities: readonly { row: number; message: string }[]
}

/** `row` counts as spreadsheets do: the headings are row 1. */
export type SheetMistake = { row: number; column: string; message: string }
/** A row below the headings. A cell has no blanks at its ends; a missing one is empty. */
export type SheetLine<Head extends string> = { row: number; cell(head: Head): string }

/**
 * A list's columns, those that it needs, and its name in messages, such as "a price list". `others`: what happens to
 * columns that it does not know. One that looks like a misspelt name is always refused.
 */
export type Columns<Head extends string> = {
  known: readonly Head[]
  needed: readonly Head[]
  list: string
  others: 'refused' | 'ignored'
}

/** Of a cell that an error message quotes. */
const MAX_EXCERPT = 60
/** The row of headings may be below a title. */
const MAX_ROWS_ABOVE = 20

/**
 * The lines of the first sheet that has the needed headings, and the mistakes of its headings and of its odd cells.
 * Lines are null if no sheet has the headings.
 */
export function readTable<Head extends string>(
  sheets: readonly SheetInput[],
  columns: Columns<Head>,
): { lines: SheetLine<Head>[] | null; mistakes: SheetMistake[] } {
  const found = findHeadings(sheets, columns)
  if (!found) return { lines: null, mistakes: [noHeadings(sheets, columns)] }
  const { sheet, headRow, heads } = found
  const lines = sheet.rows
    .filter(({ row }) => row > headRow.row)
    .map(
      ({ row, cells }): SheetLine<Head> => ({
        row,
        // Patterns such as \s*kg would take quadratic time for a long run of blanks.
        cell: (head) => cells[heads.indexOf(head)]?.replaceAll(/\s{2,}/g, ' ').trim() ?? '',
      }),
    )
  const odd = sheet.oddities
    .filter(({ row }) => row >= headRow.row)
    .map(({ row, message }) => ({
      row,
      column: columns.known[0] as string,
      message: `${message} Undo that in the list, or delete it.`,
    }))
  return { lines, mistakes: [...headingMistakes(headRow, heads, columns), ...odd] }
}

/** The text of a cell for an error message, shortened. */
export function cellExcerpt(text: string): string {
  return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text
}

/** A heading or a choice as its name: `Consignment number` is `consignment_number`. */
export function toName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[ _-]+/g, '_')
}

function findHeadings<Head extends string>(sheets: readonly SheetInput[], { needed }: Columns<Head>) {
  for (const sheet of sheets) {
    for (const headRow of sheet.rows.slice(0, MAX_ROWS_ABOVE)) {
      const heads = headRow.cells.map(toName)
      if (needed.every((head) => heads.includes(head))) return { sheet, headRow, heads }
    }
  }
  return null
}

function noHeadings<Head extends string>(
  sheets: readonly SheetInput[],
  { known, needed }: Columns<Head>,
): SheetMistake {
  const rows = sheets.flatMap((sheet) => sheet.rows.slice(0, MAX_ROWS_ABOVE))
  // The row that comes closest says what is missing.
  const lacks = rows.map(({ row, cells }) => {
    const heads = cells.map(toName)
    return { row, missing: needed.filter((head) => !heads.includes(head)), cells }
  })
  const [best] = lacks.sort((a, b) => a.missing.length - b.missing.length || a.row - b.row)
  const missing = best && best.missing.length < needed.length ? best.missing : needed
  const guess = missing
    .map((head) => misspelt(best?.cells ?? [], head, known))
    .find((message) => message !== null)
  const message = `One row must name the columns ${known.join(', ')}; ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.${guess ? ` ${guess}` : ''}`
  return { row: best?.row ?? 1, column: missing[0] as string, message }
}

function misspelt(cells: readonly string[], head: string, known: readonly string[]): string | null {
  const near = cells.find((cell) => !known.includes(toName(cell)) && nearest(toName(cell), [head]) !== null)
  return near === undefined ? null : `"${cellExcerpt(near.trim())}" should be ${head}.`
}

/** A column that is misspelt would be dropped silently, a duplicate column would be half read. */
function headingMistakes<Head extends string>(
  { row }: SheetRow,
  heads: readonly string[],
  { known, list, others }: Columns<Head>,
): SheetMistake[] {
  return heads.flatMap((head, index): SheetMistake[] => {
    if (head === '') return []
    if (!(known as readonly string[]).includes(head)) {
      const guess = didYouMean(head, known).trim()
      if (others === 'ignored' && guess === '') return []
      const remedy = guess || `Known columns: ${known.join(', ')}.`
      return [
        {
          row,
          column: cellExcerpt(head),
          message: `"${cellExcerpt(head)}" is not a column of ${list}. ${remedy}`,
        },
      ]
    }
    if (heads.indexOf(head) === index) return []
    return [{ row, column: head, message: `The column ${head} appears twice. Keep one of them.` }]
  })
}
