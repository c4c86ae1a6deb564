import { deflateSync, inflateSync } from 'node:zlib'
import { orientationOf } from '../photo/orientation.ts'

/**
 * An image in PDF form: the entries of its dictionary and its bytes. Measures in pixels, as stored; the EXIF
 * orientation says how to rotate it for display.
 */
export type Picture = { width: number; height: number; orientation: number; entries: string; bytes: Buffer }

/** An image with transparency is unpacked and drawn on white; a larger one would delay other requests too long. */
const MOST_UNPACKED_PIXELS = 4_000_000

/** The image ready for a PDF, or null when it is damaged, too large to unpack or of a rare kind. */
export function pictureOf({ mediaType, bytes }: { mediaType: string; bytes: Buffer }): Picture | null {
  try {
    return mediaType === 'image/jpeg' ? jpeg(bytes) : png(bytes)
  } catch {
    return null
  }
}

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
function png(bytes: Buffer): Picture | null {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, kind, interlaced] = [bytes[24], bytes[25] as number, bytes[28]]
  const samples = { 0: 1, 2: 3, 4: 2, 6: 4 }[kind]
  if (depth !== 8 || interlaced !== 0 || !samples || width === 0 || height === 0) return null
  const packed = Buffer.concat(chunksOf(bytes))
  // PNG files from phones and canvases are upright.
  const size = { width, height, orientation: 1 }
  const opaque = samples === 1 || samples === 3
  if (opaque) {
    const entries = `/ColorSpace ${COLOURS[samples]} /BitsPerComponent 8 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors ${samples} /Columns ${width} >>`
    return { ...size, bytes: packed, entries }
  }
  if (width * height > MOST_UNPACKED_PIXELS) return null
  const raw = inflateSync(packed, { maxOutputLength: (width * samples + 1) * height })
  const pixels = onWhite(unfiltered(raw, width * samples, height, samples), samples)
  const entries = `/ColorSpace ${COLOURS[samples - 1]} /BitsPerComponent 8 /Filter /FlateDecode`
  return { ...size, bytes: deflateSync(pixels, { level: 1 }), entries }
}

function chunksOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      found.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return found
}

/** Undoes the filters of PNG (ISO 15948 section 9); each row depends on the one above. */
function unfiltered(raw: Buffer, stride: number, height: number, step: number): Buffer {
  if (raw.length < (stride + 1) * height) throw new RangeError('The picture is cut off.')
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] as number
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= step ? (out[at - step] as number) : 0
      const up = y > 0 ? (out[at - stride] as number) : 0
      const corner = x >= step && y > 0 ? (out[at - stride - step] as number) : 0
      out[at] = (raw[y * (stride + 1) + 1 + x] as number) + guess(filter, left, up, corner)
    }
  }
  return out
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** The last sample of a pixel is its opacity. */
function onWhite(pixels: Buffer, samples: number): Buffer {
  const colours = samples - 1
  const out = Buffer.alloc((pixels.length / samples) * colours)
  for (let from = 0, to = 0; from < pixels.length; from += samples) {
    const seen = pixels[from + colours] as number
    for (let sample = 0; sample < colours; sample++) {
      out[to++] = 255 - Math.round(((255 - (pixels[from + sample] as number)) * seen) / 255)
    }
  }
  return out
}
