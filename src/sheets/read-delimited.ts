import { guessDelimiter, parseDelimited } from './parse-delimited.ts'
import {
  farOutside,
  MAX_COLUMNS,
  type Sheet,
  type SheetLimits,
  type SheetRow,
  UnreadableSheet,
} from './sheet.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** Text with separated cells, as programs and spreadsheets export it. Excel's own first line `sep=;` is heeded. */
export function readDelimited(bytes: Uint8Array, limits: SheetLimits): Sheet {
  const text = decode(bytes)
  const named = /^\s*"?sep=(.)"?\r?\n/i.exec(text)
  const body = named ? text.slice(named[0].length) : text
  if (countSeparators(body, named?.[1], limits.cells) >= limits.cells)
    throw new UnreadableSheet('The file has too many cells. Delete its empty columns and rows.')
  const delimiter = named?.[1] ?? guessDelimiter(body, DELIMITERS)
  const { rows: data, badQuoteRow } = parseDelimited(body, delimiter, limits.rows + 1)
  const firstRow = named ? 2 : 1
  if (data.length > limits.rows)
    throw new UnreadableSheet(`The list has more than ${limits.rows} rows. Send it in parts.`)
  if (badQuoteRow !== null)
    throw new UnreadableSheet(
      `Row ${badQuoteRow + firstRow} has a quotation mark that is not closed. Close it or take it out.`,
    )
  for (const [index, cells] of data.entries()) {
    const column = cells.findIndex((cell, at) => at >= MAX_COLUMNS && cell.trim() !== '')
    if (column >= 0) throw farOutside(column, index + firstRow)
  }
  const rows = data.flatMap((cells, index): SheetRow[] =>
    cells.some((cell) => cell.trim() !== '')
      ? [{ row: index + firstRow, cells: cells.slice(0, MAX_COLUMNS) }]
      : [],
  )
  return { name: null, rows, oddities: [] }
}

/** By the byte order mark; without one UTF-8, or else what Excel writes on Windows. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = bytes.subarray(0, 1_000)
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length)
  if (Math.max(...zeros) > head.length / 5)
    return new TextDecoder((zeros[1] as number) > (zeros[0] as number) ? 'utf-16le' : 'utf-16be').decode(
      bytes,
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The most that any separator or line break stands in the text, counted up to `limit`. */
function countSeparators(text: string, named: string | undefined, limit: number): number {
  const counts = ['\n', ...(named === undefined ? DELIMITERS : [named])].map((separator) => {
    let [count, at] = [0, text.indexOf(separator)]
    for (; at >= 0 && count < limit; count++) at = text.indexOf(separator, at + 1)
    return count
  })
  return Math.max(...counts)
}
