import { inflateRawSync } from 'node:zlib'
import { damagedWorkbook, UnreadableSheet } from './sheet.ts'

/** A file of an archive, still compressed. */
export type ZipEntry = { method: number; compressed: Uint8Array }

/**
 * The files of a ZIP archive by its central directory (APPNOTE.TXT, 4.3.12), of equal names the last. Nothing is
 * unpacked, and the sizes of the unpacked files are ignored, because they may be false. The work grows with the archive's
 * size, not with the number of files that it declares.
 */
export function listEntries(archive: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const entries = new Map<string, ZipEntry>()
  try {
    let { at, count } = findDirectory(view)
    for (; count > 0; count--) {
      if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damagedWorkbook()
      const nameBytes = view.getUint16(at + 28, true)
      const extraBytes = view.getUint16(at + 30, true)
      const nameAt = at + 46
      const name = new TextDecoder().decode(archive.subarray(nameAt, nameAt + nameBytes))
      const { size, fileAt } = readPlace(view, at, nameAt + nameBytes, extraBytes)
      // The file's own header repeats the name; its extra field has a length of its own.
      const dataAt = fileAt + 30 + view.getUint16(fileAt + 26, true) + view.getUint16(fileAt + 28, true)
      entries.set(name, {
        method: view.getUint16(at + 10, true),
        compressed: archive.subarray(dataAt, dataAt + size),
      })
      at = nameAt + nameBytes + extraBytes + view.getUint16(at + 32, true)
    }
  } catch (error) {
    throw error instanceof RangeError ? damagedWorkbook() : error
  }
  return entries
}

/** Throws an UnreadableSheet as soon as the file exceeds `maxBytes`. */
export function unzipEntry({ method, compressed }: ZipEntry, maxBytes: number): Uint8Array {
  if (method === STORED) {
    if (compressed.length > maxBytes) throw tooLarge()
    return compressed
  }
  if (method !== DEFLATED || maxBytes < 1) throw method === DEFLATED ? tooLarge() : damagedWorkbook()
  try {
    return inflateRawSync(compressed, { maxOutputLength: maxBytes })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damagedWorkbook()
  }
}

function tooLarge(): UnreadableSheet {
  return new UnreadableSheet(
    'The workbook is too large once it is unpacked. Copy the list into a new workbook and save that one.',
  )
}

const [STORED, DEFLATED] = [0, 8]
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_END = 0x06064b50
const ZIP64_FIELD = 1
/** Of a field of 32 bits: the value is in the ZIP64 record. */
const IN_ZIP64 = 0xffffffff
const MAX_COMMENT_BYTES = 65_535

function findDirectory(view: DataView): { at: number; count: number } {
  const last = view.byteLength - 22
  for (let end = last; end >= 0 && end >= last - MAX_COMMENT_BYTES; end--) {
    if (view.getUint32(end, true) !== DIRECTORY_END) continue
    if (end >= 20 && view.getUint32(end - 20, true) === ZIP64_LOCATOR) {
      const zip64 = view.getUint32(end - 12, true)
      if (view.getUint32(zip64, true) === ZIP64_END)
        return { at: view.getUint32(zip64 + 48, true), count: view.getUint32(zip64 + 32, true) }
    }
    return { at: view.getUint32(end + 16, true), count: view.getUint16(end + 10, true) }
  }
  throw damagedWorkbook()
}

/** The compressed size and the header's position. An archive of some MB needs no more than their lower 32 bits. */
function readPlace(view: DataView, at: number, extraAt: number, extraBytes: number) {
  const isLarge = view.getUint32(at + 24, true) === IN_ZIP64
  let [size, fileAt] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  if (size !== IN_ZIP64 && fileAt !== IN_ZIP64) return { size, fileAt }
  for (let field = extraAt; field + 4 <= extraAt + extraBytes; ) {
    if (view.getUint16(field, true) === ZIP64_FIELD) {
      let value = field + 4 + (isLarge ? 8 : 0)
      if (size === IN_ZIP64) {
        size = view.getUint32(value, true)
        value += 8
      }
      if (fileAt === IN_ZIP64) fileAt = view.getUint32(value, true)
      break
    }
    field += 4 + view.getUint16(field + 2, true)
  }
  return { size, fileAt }
}
