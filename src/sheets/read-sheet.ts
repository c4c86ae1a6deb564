import { MAX_BYTES, PRICE_LIST, type Sheet, type SheetLimits, UnreadableSheet } from './sheet.ts'

/**
 * The sheets of a file as people save it: Excel's .xlsx, or text with commas, semicolons or tabs in UTF-8, UTF-16 or
 * Windows-1252. The content decides, not the name. Throws an UnreadableSheet with the cause and the remedy. Each
 * reader is loaded for its first file.
 */
export async function readSheets(bytes: Uint8Array, limits: SheetLimits = PRICE_LIST): Promise<Sheet[]> {
  if (bytes.length > MAX_BYTES) throw new UnreadableSheet('The file is larger than 8 MB.')
  if (startsWith(bytes, ZIP)) {
    const { readXlsx } = await import('./read-xlsx.ts')
    return readXlsx(bytes, limits)
  }
  if (startsWith(bytes, OLE))
    throw new UnreadableSheet(
      'It is an old .xls workbook, or one with a password. Open it and save it as "Excel workbook (.xlsx)" without a password.',
    )
  const { readDelimited } = await import('./read-delimited.ts')
  return [readDelimited(bytes, limits)]
}

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLE = [0xd0, 0xcf, 0x11, 0xe0]

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
}
