import { randomInt } from 'node:crypto'

// Crockford's base 32: no characters that depot staff could misread.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A new consignment number: the carrier's prefix and 12 characters (60 bits, so duplicates don't occur in
 * practice).
 */
export function newConsignmentNumber(prefix: string): string {
  const characters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)])
  return prefix + characters.join('')
}

/**
 * The ids of a consignment's units, in order: letters and digits only, so that they fit a GS1 element
 * string's AI 91 (at most 30 characters).
 */
export function articleIds(consignmentNumber: string, count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, index) => consignmentNumber + `${first + index}`.padStart(3, '0'))
}
