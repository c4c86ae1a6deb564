/**
 * `units / unitsPerRate * rate`, rounded half up once to a whole number. Exact: units are an integer, the
 * rate has up to six decimals, and no intermediate value is a float (0.9 kg at 45 c is 40.5 c, so 41; floats
 * give 40).
 */
export function proRata(units: number, unitsPerRate: number, rate: number): number {
  if (units % THOUSAND === 0 && unitsPerRate % THOUSAND === 0 && unitsPerRate > 0) {
    return proRata(units / THOUSAND, unitsPerRate / THOUSAND, rate)
  }
  const rateMillionths = Math.round(rate * MILLION)
  const share = 2 * units * rateMillionths
  const whole = unitsPerRate * MILLION
  // Below 2^53 a quotient of whole numbers never rounds up to the next one; beyond that, floats lose units.
  if (isExact(share) && isExact(share + whole) && isExact(2 * whole))
    return Math.floor((share + whole) / (2 * whole))
  return exactly(units, unitsPerRate, rateMillionths)
}

const isExact = Number.isSafeInteger
const THOUSAND = 1_000
const MILLION = 1_000_000

function exactly(units: number, unitsPerRate: number, rateMillionths: number): number {
  const whole = BigInt(unitsPerRate) * BigInt(MILLION)
  return Number(floorDivide(2n * BigInt(units) * BigInt(rateMillionths) + whole, 2n * whole))
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}
