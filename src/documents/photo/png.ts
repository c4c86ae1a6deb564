import { crc32, inflateSync } from 'node:zlib'
import { checkPixels, MAX_CHUNKS_OR_SEGMENTS, NotAWholeImage } from './not-a-whole-image.ts'
import { orientationOf, orientationTiff } from './orientation.ts'

const SIGNATURE_LENGTH = 8

/**
 * The chunks that the image needs: pixels, palette, transparency, colours. Text, times and EXIF are not among
 * them.
 */
const OF_PICTURE: readonly string[] = [
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD', 'pHYs'],
]

/**
 * A PNG (ISO 15948) without metadata, except the orientation. Throws `NotAWholeImage` when it is truncated or
 * a chunk is damaged. Does not unpack the pixels, because there may be many.
 */
export function strippedPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_LENGTH)]
  let orientation = 1
  let isFirst = true
  let hasPixels = false
  let hasProfile = false
  for (let [at, chunks] = [SIGNATURE_LENGTH, 0]; ; chunks++) {
    if (chunks > MAX_CHUNKS_OR_SEGMENTS) throw new NotAWholeImage('it has more than 10,000 chunks')
    const { type, content, end } = chunkAt(bytes, at)
    if (isFirst !== (type === 'IHDR')) throw new NotAWholeImage('it is damaged')
    if (isFirst) checkSize(content)
    isFirst = false
    hasPixels ||= type === 'IDAT' && content.length > 0
    if (type === 'eXIf') orientation = orientationOf(content) ?? orientation
    if (type === 'IDAT' && orientation !== 1) {
      // It must precede the pixels.
      kept.push(chunkOf('eXIf', orientationTiff(orientation)))
      orientation = 1
    }
    // A PNG may have only one colour profile, and decompressing thousands of them would take seconds.
    const isRejectedProfile = type === 'iCCP' && (hasProfile || isHugeProfile(content))
    hasProfile ||= type === 'iCCP'
    if (OF_PICTURE.includes(type) && !isRejectedProfile) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') break
    at = end
  }
  if (!hasPixels) throw new NotAWholeImage('it holds no picture')
  return Buffer.concat(kept)
}

function chunkAt(bytes: Buffer, at: number): { type: string; content: Buffer; end: number } {
  const length = at + 12 <= bytes.length ? bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY
  const end = at + 12 + length
  if (end > bytes.length) throw new NotAWholeImage('it is cut off before its end')
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
    throw new NotAWholeImage('it is damaged')
  return {
    type: bytes.toString('latin1', at + 4, at + 8),
    content: bytes.subarray(at + 8, end - 4),
    end,
  }
}

function checkSize(header: Buffer): void {
  if (header.length !== 13) throw new NotAWholeImage('it says no size')
  checkPixels(header.readUInt32BE(0), header.readUInt32BE(4))
}

/** Cameras' and screens' profiles have some kilobytes; a compressed one can unpack to 200 MB at its receiver. */
const MAX_PROFILE_BYTES = 1024 * 1024

/** Whether a colour profile (name, zero, method, zlib data) is damaged or unpacks to more than 1 MiB. */
function isHugeProfile(content: Buffer): boolean {
  try {
    inflateSync(content.subarray(content.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES })
    return false
  } catch {
    return true
  }
}

function chunkOf(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
