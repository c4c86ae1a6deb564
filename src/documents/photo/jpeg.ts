import { checkPixels, MAX_CHUNKS_OR_SEGMENTS, NotAWholeImage } from './not-a-whole-image.ts'
import { orientationOf, orientationTiff } from './orientation.ts'

const [TEM, SOI, EOI, SOS, APP0, APP15, APP1, APP2, APP14, COM] = [
  0x01, 0xd8, 0xd9, 0xda, 0xe0, 0xef, 0xe1, 0xe2, 0xee, 0xfe,
]
const EXIF = Buffer.from('Exif\0\0', 'latin1')
const COLOUR_PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1')

/**
 * A JPEG (ITU T.81 annex B) without metadata: only the orientation of EXIF remains; XMP, IPTC, comments,
 * previews and any bytes after the end are removed. Throws `NotAWholeImage` when it is truncated or is no
 * JPEG inside. Does not decode the samples, which would block other requests for a second.
 */
export function strippedJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let orientation = 1
  let hasFrame = false
  let hasScan = false
  for (let [at, segments] = [2, 0]; ; segments++) {
    if (segments > MAX_CHUNKS_OR_SEGMENTS) throw new NotAWholeImage('it has more than 10,000 segments')
    const { marker, start } = markerAt(bytes, at)
    if (marker === EOI) {
      if (!hasScan) throw new NotAWholeImage('it holds no picture')
      kept.push(END)
      break
    }
    if (marker === SOI || marker === TEM || isRestart(marker)) throw new NotAWholeImage('it is damaged')
    const end = segmentEnd(bytes, start)
    const content = bytes.subarray(start + 4, end)
    if (isFrame(marker)) {
      if (content.length < 6) throw new NotAWholeImage('it says no size')
      checkPixels(content.readUInt16BE(3), content.readUInt16BE(1))
      hasFrame = true
    }
    if (marker === SOS) {
      if (!hasFrame) throw new NotAWholeImage('its picture has no size before it')
      at = scanEnd(bytes, end)
      kept.push(bytes.subarray(start, at))
      hasScan = true
      continue
    }
    if (marker === APP1 && content.subarray(0, EXIF.length).equals(EXIF))
      orientation = orientationOf(content.subarray(EXIF.length)) ?? orientation
    if (isOfPicture(marker, content)) kept.push(bytes.subarray(start, end))
    at = end
  }
  // Both JFIF and EXIF require to be the first segment; programs accept either order.
  const afterJfif = kept[1]?.[1] === APP0 ? 2 : 1
  if (orientation !== 1) kept.splice(afterJfif, 0, orientationSegment(orientation))
  return Buffer.concat(kept)
}

const END = Buffer.from([0xff, EOI])

/** The marker at an offset, after fill bytes (B.1.1.2). */
function markerAt(bytes: Buffer, at: number): { marker: number; start: number } {
  if (at < bytes.length && bytes[at] !== 0xff) throw new NotAWholeImage('it is damaged')
  let start = at
  while (bytes[start + 1] === 0xff) start++
  const marker = bytes[start + 1]
  if (marker === undefined) throw new NotAWholeImage('it is cut off before its end')
  return { marker, start }
}

function segmentEnd(bytes: Buffer, start: number): number {
  const length = start + 4 <= bytes.length ? bytes.readUInt16BE(start + 2) : Number.POSITIVE_INFINITY
  if (length < 2) throw new NotAWholeImage('it is damaged')
  const end = start + 2 + length
  if (end > bytes.length) throw new NotAWholeImage('it is cut off before its end')
  return end
}

/** The offset of the next marker after a scan's samples, which include stuffed zeros and restarts. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  throw new NotAWholeImage('it is cut off before its end')
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Tables, frames and segments that affect colours: JFIF, a colour profile, Adobe's colour transform. */
function isOfPicture(marker: number, content: Buffer): boolean {
  if (marker === COM) return false
  if (marker === APP0) return content.subarray(0, 5).toString('latin1') === 'JFIF\0'
  if (marker === APP2) return content.subarray(0, COLOUR_PROFILE.length).equals(COLOUR_PROFILE)
  return marker === APP14 || marker < APP0 || marker > APP15
}

function orientationSegment(orientation: number): Buffer {
  const content = Buffer.concat([EXIF, orientationTiff(orientation)])
  const head = Buffer.from([0xff, APP1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
