import { createHash } from 'node:crypto'
import { strippedJpeg } from '../../documents/photo/jpeg.ts'
import { MAX_PIXELS, NotAWholeImage, TooManyPixels } from '../../documents/photo/not-a-whole-image.ts'
import { strippedPng } from '../../documents/photo/png.ts'
import { Refusal } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'

export type Image = { mediaType: 'image/jpeg' | 'image/png'; bytes: Buffer; sha256: Buffer }

/** Full-size photos of usual phones are smaller. */
const MOST_BYTES = 5 * 1024 * 1024

const KINDS = [
  { mediaType: 'image/jpeg', magic: Buffer.from([0xff, 0xd8, 0xff]), stripped: strippedJpeg },
  {
    mediaType: 'image/png',
    magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    stripped: strippedPng,
  },
] as const

/**
 * The image as it is stored, and its digest: metadata about place and phone is removed. Refuses `payload_too_large` and
 * `invalid_request`, naming the field.
 */
export function imageOf(base64: string, field: string): Image {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    refuse([notAnImage(field, 'must be a JPEG or a PNG as base64 without line breaks.')])
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MOST_BYTES) throw new Refusal('payload_too_large', 'An image may have at most 5 MiB.')
  try {
    const image = readImage(bytes)
    return (
      image ?? refuse([notAnImage(field, 'must be a JPEG or a PNG. Send the photo in one of these formats.')])
    )
  } catch (error) {
    if (error instanceof TooManyPixels) {
      const most = MAX_PIXELS / 1_000_000
      const size = `${error.width} × ${error.height} pixels`
      return refuse([
        notAnImage(field, `may have at most ${most} megapixels, but has ${size}. Send a smaller photo.`),
      ])
    }
    if (!(error instanceof NotAWholeImage)) throw error
    return refuse([
      notAnImage(field, `must be a complete JPEG or PNG, but ${error.message}. Take the photo again.`),
    ])
  }
}

/** Null: the bytes are not a complete JPEG or PNG, or exceed 5 MiB or 50 megapixels. */
export function imageIn(bytes: Buffer): Image | null {
  if (bytes.length > MOST_BYTES) return null
  try {
    return readImage(bytes)
  } catch (error) {
    if (error instanceof NotAWholeImage) return null
    throw error
  }
}

/** Detects the format from the bytes, not from a file name; null for neither format. Throws `NotAWholeImage`. */
function readImage(bytes: Buffer): Image | null {
  const kind = KINDS.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
  if (!kind) return null
  const kept = kind.stripped(bytes)
  return { mediaType: kind.mediaType, bytes: kept, sha256: createHash('sha256').update(kept).digest() }
}

function notAnImage(field: string, rule: string) {
  return { field, issue: 'invalid_value' as const, message: `${field} ${rule}` }
}
