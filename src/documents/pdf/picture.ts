import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { orientationOf } from '../photo/orientation.ts'

/**
 * An image in PDF form: the entries of its dictionary and its bytes. Measures in pixels, as stored; the EXIF
 * orientation says how to rotate it for display.
 */
export type Picture = { width: number; height: number; orientation: number; entries: string; bytes: Buffer }

/** An image with transparency is unpacked and drawn on white: 16 MB for each million pixels at most. */
const MAX_UNPACKED_PIXELS = 4_000_000

/** The image ready for a PDF, or null when it is damaged, too large to unpack or of a rare kind. */
export async function pictureOf({
  mediaType,
  bytes,
}: {
  mediaType: string
  bytes: Buffer
}): Promise<Picture | null> {
  try {
    return mediaType === 'image/jpeg' ? jpeg(bytes) : await png(bytes)
  } catch {
    return null
  }
}

// In libuv's threads, not in the event loop.
const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)
const deflated = promisify<Buffer, { level: number }, Buffer>(deflate)

const COLOURS: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }

/** A PDF accepts a JPEG unchanged; we only read its size from the frame header (ITU T.81 B.2.2). */
function jpeg(bytes: Buffer): Picture | null {
  let orientation = 1
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      orientation = orientationOf(bytes.subarray(at + 10, at + 2 + bytes.readUInt16BE(at + 2))) ?? 1
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      const space = COLOURS[bytes[at + 9] as number]
      if (!space || width === 0 || height === 0) return null
      const entries = `/ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode`
      return { width, height, orientation, bytes, entries }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** Eight bits per sample, not interlaced: the kind that phones and canvases write. */
async function png(bytes: Buffer): Promise<Picture | null> {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, kind, interlaced] = [bytes[24], bytes[25] as number, bytes[28]]
  const samples = { 0: 1, 2: 3, 4: 2, 6: 4 }[kind]
  if (depth !== 8 || interlaced !== 0 || !samples || width === 0 || height === 0) return null
  const packed = Buffer.concat(chunksOf(bytes, 'IDAT'))
  const [exif] = chunksOf(bytes, 'eXIf')
  const size = { width, height, orientation: (exif && orientationOf(exif)) ?? 1 }
  const opaque = samples === 1 || samples === 3
  if (opaque) {
    const entries = `/ColorSpace ${COLOURS[samples]} /BitsPerComponent 8 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors ${samples} /Columns ${width} >>`
    return { ...size, bytes: packed, entries }
  }
  if (width * height > MAX_UNPACKED_PIXELS) return null
  const raw = await inflated(packed, { maxOutputLength: (width * samples + 1) * height })
  const pixels = await opaquePixels(raw, { width, height, samples })
  const entries = `/ColorSpace ${COLOURS[samples - 1]} /BitsPerComponent 8 /Filter /FlateDecode`
  return { ...size, bytes: await deflated(pixels, { level: 1 }), entries }
}

function chunksOf(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return found
}

type Size = { width: number; height: number; samples: number }

/** How many bytes are decoded in one turn of the event loop: some milliseconds of work. */
const BYTES_IN_TURN = 128 * 1024

/**
 * Cooperative decoding: the pixels of a PNG with transparency, drawn on white. The last sample of each pixel is its
 * opacity. Yields to the event loop after each 128 KiB. Throws `RangeError` when the image is cut off.
 */
export async function opaquePixels(raw: Buffer, { width, height, samples }: Size): Promise<Buffer> {
  const stride = width * samples
  if (raw.length < (stride + 1) * height) throw new RangeError('The image is cut off.')
  const out = Buffer.alloc(width * height * (samples - 1))
  let above: Uint8Array = new Uint8Array(stride)
  let decodedBytes = 0
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1) + 1
    const row = raw.subarray(start, start + stride)
    unfilter(raw[start - 1] as number, row, above, samples)
    drawOnWhite(row, out, y * width * (samples - 1), samples)
    above = row
    decodedBytes += stride
    if (decodedBytes >= BYTES_IN_TURN) {
      decodedBytes = 0
      await nextTurn()
    }
  }
  return out
}

/** Undoes a row's filter in place (ISO 15948 section 9); it depends on the row above. One loop for each, for speed. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = row
  if (filter === 1) {
    for (let x = step; x < length; x++) row[x] = at(row, x) + at(row, x - step)
  } else if (filter === 2) {
    for (let x = 0; x < length; x++) row[x] = at(row, x) + at(above, x)
  } else if (filter === 3) {
    for (let x = 0; x < step; x++) row[x] = at(row, x) + (at(above, x) >> 1)
    for (let x = step; x < length; x++) row[x] = at(row, x) + ((at(row, x - step) + at(above, x)) >> 1)
  } else if (filter === 4) {
    for (let x = 0; x < step; x++) row[x] = at(row, x) + at(above, x)
    for (let x = step; x < length; x++)
      row[x] = at(row, x) + paeth(at(row, x - step), at(above, x), at(above, x - step))
  }
}

function paeth(left: number, up: number, corner: number): number {
  const a = Math.abs(up - corner)
  const b = Math.abs(left - corner)
  const c = Math.abs(left + up - 2 * corner)
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function drawOnWhite(row: Uint8Array, out: Uint8Array, start: number, samples: number): void {
  const colours = samples - 1
  let to = start
  for (let from = 0; from < row.length; from += samples) {
    const seen = at(row, from + colours)
    for (let sample = 0; sample < colours; sample++)
      out[to++] = 255 - Math.round(((255 - at(row, from + sample)) * seen) / 255)
  }
}

/** The caller keeps the index within the row. */
function at(row: Uint8Array, index: number): number {
  return row[index] as number
}
