/** `1031` → `$10.31`. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

/** `2026-11-24T14:00:00+11:00` and its end → `Tue 24 Nov 14:00–20:00`, in the zone of the input. */
export function windowWords(from: string | undefined, to: string | undefined): string {
  if (!from || !to) return ''
  return `${instantWords(from)}–${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11, 16) : instantWords(to)}`
}

/** `2026-11-24T14:00:00+11:00` → `Tue 24 Nov 14:00`. */
export function instantWords(text: string): string {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  return `${day.replace(',', '')} ${text.slice(11, 16)}`
}
