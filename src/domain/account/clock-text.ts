/** The two times of a range: `09:00-17:30`. */
export function split(range = ''): [string, string] {
  const [open = '', close = ''] = range.split('-')
  return [open, close]
}

/** `09:00-17:30` → `9 am – 5:30 pm`. */
export function formatRange(range: string): string {
  const [open, close] = split(range)
  return `${formatClock(open)} – ${formatClock(close)}`
}

/** `17:30` → `5:30 pm`; `24:00` and `00:00` are midnight. */
export function formatClock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  if (hour % 24 === 0 && minute === 0) return 'midnight'
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes} ${hour % 24 < 12 ? 'am' : 'pm'}`
}
