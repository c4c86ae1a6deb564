import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { readCsv } from '../domain/text/read-csv.ts'
import { csvText } from '../domain/text/write-csv.ts'

/** Price lists have thousands of rows; a larger file is something different. */
const MOST_BYTES = 8 * 1024 * 1024

/** The cells of a CSV or XLSX file (its first sheet) as text. Throws with the reason when it cannot be read. */
export async function readSheetFile(file: string): Promise<string[][]> {
  const bytes = await readFile(file)
  if (bytes.length > MOST_BYTES) throw new Error(`${file} is larger than 8 MB.`)
  if (extname(file).toLowerCase() !== '.xlsx')
    return readCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  // Loaded for the first spreadsheet: most commands never read one.
  const { default: readXlsx } = await import('read-excel-file/node')
  const [sheet] = await readXlsx(bytes)
  return (sheet?.data ?? []).map((row) => row.map(textOf))
}

/** Writes cells as CSV or XLSX, depending on the file name. */
export async function writeSheetFile(file: string, rows: readonly (readonly string[])[]): Promise<void> {
  if (extname(file).toLowerCase() !== '.xlsx') return writeFile(file, csvText(rows))
  const { default: writeXlsx } = await import('write-excel-file/node')
  const data = rows.map((row) => row.map((value) => ({ value, type: String })))
  await writeFile(file, await writeXlsx(data).toBuffer())
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString() : String(cell)
}
