import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const SIZE = 48
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * A placeholder PNG for a photo or a signature: stripes that are the same for the same text, and differ for
 * any other.
 */
export function picture(of: string): Buffer {
  const shades = createHash('sha256').update(of).digest()
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const row = Array.from({ length: SIZE }, (_, x) => shades[((x >> 3) + (y >> 3) * 5) % shades.length] ?? 0)
    return Buffer.from([0, ...row])
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  // Eight bits per pixel, grey; the rest of the header is zero.
  header[8] = 8
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}
