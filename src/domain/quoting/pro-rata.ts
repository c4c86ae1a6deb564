/**
 * `units / unitsPerRate * rate`, rounded half up once to a whole number. Exact: units are an integer, the rate
 * counts to six decimals, and nothing between is a float (0.9 kg at 45 c is 40.5 c, so 41, where floats say 40).
 */
export function proRata(units: number, unitsPerRate: number, rate: number): number {
  const millionths = BigInt(units) * BigInt(Math.round(rate * 1e6))
  const whole = BigInt(unitsPerRate) * 1_000_000n
  return Number(floorDivide(2n * millionths + whole, 2n * whole))
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}
