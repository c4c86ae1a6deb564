import { CsvError, parse } from 'csv-parse/sync'

export type Delimited = {
  rows: string[][]
  /** The row, from 0, of the first cell whose quotation marks don't end before the delimiter or the line. */
  badQuoteRow: number | null
}

/**
 * The cells of CSV text (RFC 4180). Rows end with any line break; blanks around a cell are dropped; a mark inside a cell
 * that doesn't begin with one is text. Reads at most `maxRows`; none if a quotation mark is not closed. Reads each
 * character once: papaparse searches on from each mark, so that 1 MB of marks takes hours.
 */
export function parseDelimited(text: string, delimiter: string, maxRows: number): Delimited {
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
      to: maxRows,
    })
    return { rows, badQuoteRow: null }
  } catch (error) {
    if (error instanceof CsvError) return { rows: [], badQuoteRow: Number(error.records) }
    throw error
  }
}

const GUESSED_ROWS = 10

/**
 * The delimiter by which the first rows have the most equal numbers of cells: of equally good ones that with more cells.
 * A comma if no delimiter gives two cells in a row.
 */
export function guessDelimiter(text: string, delimiters: readonly string[]): string {
  let best: { delimiter: string; difference: number; average: number } | null = null
  for (const delimiter of delimiters) {
    const counts = parseDelimited(text, delimiter, GUESSED_ROWS).rows.map((row) => row.length)
    const average = counts.reduce((sum, count) => sum + count, 0) / counts.length
    const difference = counts.slice(1).reduce((sum, count, at) => sum + Math.abs(count - counts[at]!), 0)
    if (average > 1.99 && (!best || (difference <= best.difference && average > best.average)))
      best = { delimiter, difference, average }
  }
  return best?.delimiter ?? ','
}
