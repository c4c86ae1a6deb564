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
export function checkWords(data: readonly number[], count: number): number[] {
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
