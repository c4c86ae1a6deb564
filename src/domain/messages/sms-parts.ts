/** How an SMS is sent and charged: by its parts. */
export type SmsParts = {
  encoding: 'GSM-7' | 'UCS-2'
  /** As the alphabet counts: some characters count as two. */
  units: number
  /** The most units that this number of parts can have. */
  room: number
  parts: number
  /** The characters outside the SMS alphabet, each once: they cut a part from 160 units to 70. */
  foreign: readonly string[]
}

/** 3GPP TS 23.038, section 6.2.1: the default alphabet and, with an escape before each, its extension. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENSION = new Set('^{}\\[~]|€\f')

const LENGTHS = { 'GSM-7': { one: 160, each: 153 }, 'UCS-2': { one: 70, each: 67 } } as const

/** The encoding, length and parts of an SMS. */
export function countSmsParts(text: string): SmsParts {
  const characters = [...text]
  const foreign = [...new Set(characters.filter((one) => !BASIC.has(one) && !EXTENSION.has(one)))]
  const encoding = foreign.length === 0 ? 'GSM-7' : 'UCS-2'
  const sizes = characters.map((one) => (encoding === 'UCS-2' ? one.length : EXTENSION.has(one) ? 2 : 1))
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { one, each } = LENGTHS[encoding]
  if (units <= one) return { encoding, units, room: one, parts: 1, foreign }
  const parts = countLongParts(sizes, each)
  return { encoding, units, room: parts * each, parts, foreign }
}

/** A character of two units is never split between two parts. */
function countLongParts(sizes: readonly number[], each: number): number {
  let [parts, used] = [1, 0]
  for (const size of sizes) {
    if (used + size > each) {
      parts += 1
      used = 0
    }
    used += size
  }
  return parts
}
