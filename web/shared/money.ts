/** `$18.72`: always two decimals. */
export function dollars(cents: number): string {
  return `${cents < 0 ? '−' : ''}$${bare(Math.abs(cents))}`
}

/** `18.72`, for lines under a total. */
export function bareDollars(cents: number): string {
  return `${cents < 0 ? '−' : ''}${bare(Math.abs(cents))}`
}

/** `+ $0.23`, `− $7.55`: the difference between two prices. */
export function formatDifference(cents: number): string {
  if (cents === 0) return 'no change'
  return `${cents < 0 ? '−' : '+'} $${bare(Math.abs(cents))}`
}

function bare(cents: number): string {
  const whole = Math.floor(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
  return `${whole}.${String(cents % 100).padStart(2, '0')}`
}
