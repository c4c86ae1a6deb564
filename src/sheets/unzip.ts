import { buffer } from 'node:stream/consumers'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { damagedWorkbook, UnreadableSheet } from './sheet.ts'

/** A ZIP archive whose files are unpacked one by one. */
export type Archive = { zip: ZipFile; entries: ReadonlyMap<string, Entry> }

/** Lists the files of an archive without unpacking them; of several with the same name, the last. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const zip = await yauzl.fromBufferPromise(whole, { lazyEntries: true, autoClose: false })
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    return { zip, entries }
  } catch {
    throw damagedWorkbook()
  }
}

/** Null if there is no such file. Throws an UnreadableSheet for a damaged file, or one of more than `maxBytes`. */
export async function unzip(
  { zip, entries }: Archive,
  name: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const entry = entries.get(name)
  if (!entry) return null
  if (entry.uncompressedSize > maxBytes)
    throw new UnreadableSheet(
      'The workbook is too large once it is unpacked. Copy the list into a new workbook and use that one.',
    )
  try {
    // Fails as soon as the file has more bytes than the archive declares.
    return await buffer(await zip.openReadStreamPromise(entry))
  } catch {
    throw damagedWorkbook()
  }
}
