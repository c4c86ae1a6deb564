import { type Barcodes, gs1Elements } from '../barcode-content.ts'
import { bitOf, type Placement, placement } from './matrix-placement.ts'

/** Field of 256 elements with DataMatrix's polynomial (ISO/IEC 16022): x⁸ + x⁵ + x³ + x² + 1. */
const POLYNOMIAL = 0x12d

const powers = new Uint8Array(510)
const logarithms = new Uint8Array(256)
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  powers[exponent] = powers[exponent + 255] = value
  logarithms[value] = exponent
  value = value & 0x80 ? (value << 1) ^ POLYNOMIAL : value << 1
}

/** The `count` check codewords of the data, by long division with the generator of that degree. */
function checkWords(data: readonly number[], count: number): number[] {
  const generator = generatorOf(count)
  const rest = new Array<number>(count).fill(0)
  for (const word of data) {
    const lead = word ^ rest.shift()!
    rest.push(0)
    for (let at = 0; at < count; at++) rest[at]! ^= times(lead, generator[at]!)
  }
  return rest
}

/** Coefficients of (x − α)(x − α²)…(x − αⁿ), highest first, without the leading 1. */
function generatorOf(count: number): number[] {
  let terms = [1]
  for (let root = 1; root <= count; root++) {
    const shifted = [...terms, 0]
    terms = shifted.map((term, at) => term ^ (at === 0 ? 0 : times(terms[at - 1]!, powers[root]!)))
  }
  return terms.slice(1)
}

function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : powers[logarithms[a]! + logarithms[b]!]!
}

/** A square of modules, row by row; 1 is dark. */
export type Matrix = { size: number; modules: Uint8Array }

/** Side in modules, data codewords, check codewords, and blocks with their own finder pattern along a side. */
const SIZES = [
  [10, 3, 5, 1],
  [12, 5, 7, 1],
  [14, 8, 10, 1],
  [16, 12, 12, 1],
  [18, 18, 14, 1],
  [20, 22, 18, 1],
  [22, 30, 20, 1],
  [24, 36, 24, 1],
  [26, 44, 28, 1],
  [32, 62, 36, 2],
  [36, 86, 42, 2],
  [40, 114, 48, 2],
  [44, 144, 56, 2],
] as const

const FNC1 = 232
const PAD = 129

/**
 * Encodes as DataMatrix ECC 200 in ASCII mode, pairs of digits as one codeword, FNC1 before each element of
 * the GS1 kind. Our own encoder because bwip-js takes 0.5 ms for one, half of a whole label; tests compare it
 * with bwip-js.
 *
 * @throws RangeError beyond printable ASCII, and beyond 144 codewords.
 */
export function dataMatrix({ kind, text }: Barcodes['matrix']): Matrix {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError('A DataMatrix here carries printable ASCII only.')
  const words =
    kind === 'datamatrix'
      ? asciiWords(text)
      : gs1Elements(text).flatMap((part) => [FNC1, ...asciiWords(part)])
  const found = SIZES.find(([, capacity]) => words.length <= capacity)
  if (!found) throw new RangeError(`A DataMatrix of ${words.length} codewords does not fit a label.`)
  const [size, capacity, checks, blocks] = found
  const padded = [...words, ...padding(words.length, capacity)]
  return { size, modules: modulesOf([...padded, ...checkWords(padded, checks)], size, blocks) }
}

/** Field data for ZPL's `^BX` with escape character `_`: FNC1 first and between elements in the GS1 kind. */
export function zplDataMatrix({ kind, text }: Barcodes['matrix']): string {
  if (!/^[\w.()-]*$/.test(text)) throw new RangeError('A ZPL matrix carries letters, digits and . _ - only.')
  if (kind === 'datamatrix') return text.replaceAll('_', '__')
  return gs1Elements(text)
    .map((element) => `_1${element}`)
    .join('')
}

function asciiWords(text: string): number[] {
  return (text.match(/\d\d|./g) ?? []).map((part) =>
    part.length === 2 ? Number(part) + 130 : part.charCodeAt(0) + 1,
  )
}

/** 129 ends the data; the others are 129 randomised by their position, so that no area is uniform. */
function padding(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => {
    if (index === 0) return PAD
    const stirred = PAD + ((149 * (from + index + 1)) % 253) + 1
    return stirred > 254 ? stirred - 254 : stirred
  })
}

/** One placement for each of the sizes above, computed on first use. */
const placements = new Map<number, Placement>()

function modulesOf(words: readonly number[], size: number, blocks: number): Uint8Array {
  const side = size - 2 * blocks
  const places = placements.get(side) ?? placement(side)
  placements.set(side, places)
  const [outer, inner] = [size / blocks, side / blocks]
  const modules = new Uint8Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [r, c] = [row % outer, column % outer]
      const at = row * size + column
      if (c === 0 || r === outer - 1) modules[at] = 1
      else if (r === 0) modules[at] = 1 - (c % 2)
      else if (c === outer - 1) modules[at] = r % 2
      else {
        const placed =
          (Math.floor(row / outer) * inner + r - 1) * side + Math.floor(column / outer) * inner + c - 1
        modules[at] = bitOf(places[placed]!, words)
      }
    }
  }
  return modules
}
