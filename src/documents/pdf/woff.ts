import { inflateSync } from 'node:zlib'

/** The tables of a TrueType font by tag. */
export type FontTables = ReadonlyMap<string, Buffer>

/** Unpacks a WOFF 1 file (W3C recommendation 2012-12-13): a TrueType font with each table deflated. */
export function unpackWoff(file: Buffer): FontTables {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('Not a WOFF 1 font.')
  const tables = new Map<string, Buffer>()
  for (let entry = 0; entry < file.readUInt16BE(12); entry++) {
    const at = 44 + entry * 20
    const offset = file.readUInt32BE(at + 4)
    const packed = file.subarray(offset, offset + file.readUInt32BE(at + 8))
    const length = file.readUInt32BE(at + 12)
    tables.set(file.toString('latin1', at, at + 4), packed.length < length ? inflateSync(packed) : packed)
  }
  return tables
}

/** The tables that a PDF reader needs when glyphs are addressed by number: outlines, widths and hinting. */
const EMBEDDED = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep']

/** Packs tables into a TrueType file: those that a PDF needs, or those named. HarfBuzz needs no checksums. */
export function packTrueType(
  tables: FontTables,
  wanted: readonly string[] = EMBEDDED,
  { hasChecksums = true } = {},
): Buffer {
  const tags = wanted.filter((tag) => tables.has(tag))
  const header = Buffer.alloc(12 + tags.length * 16)
  const power = 2 ** Math.floor(Math.log2(tags.length))
  header.writeUInt32BE(0x00010000, 0)
  header.writeUInt16BE(tags.length, 4)
  header.writeUInt16BE(power * 16, 6)
  header.writeUInt16BE(Math.log2(power), 8)
  header.writeUInt16BE((tags.length - power) * 16, 10)

  const bodies: Buffer[] = []
  let offset = header.length
  for (const [index, tag] of tags.entries()) {
    const table = tables.get(tag)!
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
    header.write(tag, 12 + index * 16, 'latin1')
    if (hasChecksums) header.writeUInt32BE(checksum(padded), 16 + index * 16)
    header.writeUInt32BE(offset, 20 + index * 16)
    header.writeUInt32BE(table.length, 24 + index * 16)
    bodies.push(padded)
    offset += padded.length
  }
  return Buffer.concat([header, ...bodies])
}

function checksum(padded: Buffer): number {
  let sum = 0
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0
  return sum
}
