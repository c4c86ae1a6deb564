import { createHash } from 'node:crypto'
import { Refusal } from '../domain/errors.ts'
import { refuse } from './resolve-delivery.ts'

export type Image = { mediaType: 'image/jpeg' | 'image/png'; bytes: Buffer; sha256: Buffer }

/** Photos of usual phones at full size are smaller. */
const MOST_BYTES = 5 * 1024 * 1024

const MAGIC = [
  { mediaType: 'image/jpeg', magic: Buffer.from([0xff, 0xd8, 0xff]) },
  { mediaType: 'image/png', magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
] as const

/**
 * What the bytes say they are, whatever they are called, and their digest. Refuses `payload_too_large` and
 * `invalid_request`, by the field that held them.
 */
export function imageOf(base64: string, field: string): Image {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) refuse([notAnImage(field, 'base64 without line breaks')])
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MOST_BYTES) throw new Refusal('payload_too_large', 'An image may have at most 5 MiB.')
  return imageIn(bytes) ?? refuse([notAnImage(field, 'a JPEG or a PNG')])
}

/** Null: they are no JPEG or PNG, or more than 5 MiB. */
export function imageIn(bytes: Buffer): Image | null {
  const type = MAGIC.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
  if (!type || bytes.length > MOST_BYTES) return null
  return { mediaType: type.mediaType, bytes, sha256: createHash('sha256').update(bytes).digest() }
}

function notAnImage(field: string, wanted: string) {
  const issue = 'invalid_value' as const
  return { field, issue, message: `${field} must be ${wanted}.` }
}
