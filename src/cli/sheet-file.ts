import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { csvText } from '../domain/text/write-csv.ts'
import { readSheets } from '../sheets/read-sheet.ts'
import { type Sheet, UnreadableSheet } from '../sheets/sheet.ts'

/** The sheets of a CSV or Excel file. Throws with the reason and the remedy when it cannot be read. */
export async function readSheetFile(file: string): Promise<Sheet[]> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`There is no file ${file}.`)
    if (error.code === 'EACCES' || error.code === 'EISDIR')
      throw new Error(
        `${file} cannot be read: ${error.code === 'EISDIR' ? 'it is a folder' : 'you may not read it'}.`,
      )
    throw error
  })
  try {
    return await readSheets(bytes)
  } catch (error) {
    if (error instanceof UnreadableSheet) throw new Error(`${file}: ${error.message}`)
    throw error
  }
}

/** Writes cells as CSV or XLSX, depending on the file name. */
export async function writeSheetFile(file: string, rows: readonly (readonly string[])[]): Promise<void> {
  if (extname(file).toLowerCase() !== '.xlsx') return writeFile(file, csvText(rows))
  const { default: writeXlsx } = await import('write-excel-file/node')
  const data = rows.map((row) => row.map((value) => ({ value, type: String })))
  await writeFile(file, await writeXlsx(data).toBuffer())
}
