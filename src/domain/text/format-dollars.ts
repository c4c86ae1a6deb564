/** `1031` → `$10.31`, `123456` → `$1,234.56`; part of a cent is kept: `12.5` → `$0.125`. */
export function formatDollars(cents: number): string {
  return `${cents < 0 ? '−' : ''}$${formatBareDollars(Math.abs(cents))}`
}

/** `1031` → `10.31`, for lines under a total. */
export function formatBareDollars(cents: number): string {
  const [whole = '0', part = '00'] = toDecimal(Math.abs(cents)).split('.')
  return `${cents < 0 ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}

/** `23` → `+ $0.23`, `-755` → `− $7.55`: the difference between two prices. */
export function formatDollarDifference(cents: number): string {
  if (cents === 0) return 'no change'
  return `${cents < 0 ? '−' : '+'} $${formatBareDollars(Math.abs(cents))}`
}

/** Prices for each kilogram or kilometre may have parts of a cent, to a ten-thousandth. */
function toDecimal(cents: number): string {
  return Number.isInteger(cents) ? (cents / 100).toFixed(2) : String(Math.round(cents * 1e4) / 1e6)
}
