export type Delimited = {
  rows: string[][]
  /** The row, from 0, of the first cell whose quotation marks don't end before the delimiter or the line. */
  badQuoteRow: number | null
}

/**
 * The cells of CSV text (RFC 4180). Rows end with any line break; blanks after a closing quotation mark are dropped; a mark
 * inside a cell that doesn't begin with one is text. Reads each character once: papaparse 5.5.2 searches for the next
 * delimiter or line break after each mark, so that 1 MB of marks takes hours.
 */
export function parseDelimited(text: string, delimiter: string, maxRows: number): Delimited {
  const rows: string[][] = []
  const special = new RegExp(`[\r\n${escaped(delimiter)}]|$`, 'g')
  let badQuoteRow: number | null = null
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < maxRows) {
    let end: number
    if (text[at] === '"') {
      const quoted = readQuoted(text, at, delimiter)
      if (quoted.isBad) badQuoteRow ??= rows.length
      row.push(quoted.cell)
      end = quoted.end
    } else {
      special.lastIndex = at
      end = special.exec(text)?.index ?? text.length
      row.push(text.slice(at, end))
    }
    if (end < text.length && text[end] === delimiter) {
      at = end + 1
      if (at < text.length) continue
      row.push('')
    } else at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)
    rows.push(row)
    row = []
  }
  return { rows, badQuoteRow }
}

/** The quoted cell that begins at `start`, and where its delimiter, its line break or the text's end is. */
function readQuoted(
  text: string,
  start: number,
  delimiter: string,
): { cell: string; end: number; isBad: boolean } {
  let isBad = false
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { cell: text.slice(start + 1), end: text.length, isBad: true }
    if (text[quote + 1] === '"') {
      from = quote + 2
      continue
    }
    let end = quote + 1
    while (end < text.length && !isEnd(text[end] as string, delimiter) && BLANK.test(text[end] as string))
      end += 1
    if (end === text.length || isEnd(text[end] as string, delimiter))
      return { cell: text.slice(start + 1, quote).replaceAll('""', '"'), end, isBad }
    isBad = true
    from = end
  }
}

const BLANK = /\s/

function isEnd(char: string, delimiter: string): boolean {
  return char === delimiter || char === '\n' || char === '\r'
}

function escaped(char: string): string {
  return char.replace(/[\\\]^-]/, '\\$&')
}

const GUESSED_ROWS = 10

/**
 * The delimiter by which the first rows have the most equal numbers of cells, as papaparse guesses it: of equally good
 * ones that with more cells. A comma if no delimiter gives two cells in a row.
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
