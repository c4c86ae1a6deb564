import { CsvError, parse } from 'csv-parse/sync'

export type Delimited = {
  rows: string[][]
  /** The row, from 0, of the first cell with an unclosed quotation mark, or with text after the closing one. */
  badQuoteRow: number | null
}

/**
 * Parses CSV text (RFC 4180). Any line break ends a row, and spaces around a cell are dropped. A quotation mark is text
 * in a cell that doesn't begin with one. Returns at most `maxRows` rows, or no rows if there is a `badQuoteRow`. Reads
 * each character once: papaparse searches ahead from each quotation mark, so 1 MB of them takes it hours.
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
 * Tries the delimiters in turn: a later one wins if it splits the first rows into more cells, and at least as evenly.
 * A comma if no delimiter splits the rows into two cells on average.
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
