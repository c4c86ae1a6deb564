/** The network's clock: its dates are in Melbourne's time, wherever the parcel is. */
const MELBOURNE = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'Australia/Melbourne',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
})

/** `2014-08-27T15:48:09+10:00`. */
export function instantWords(ms: number): string {
  const part = partsOf(ms)
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${part('timeZoneName').slice('GMT'.length)}`
}

/** `11-09-2019 17:43:46`, the form of label requests. */
export function labelWords(ms: number): string {
  const part = partsOf(ms)
  return `${part('day')}-${part('month')}-${part('year')} ${part('hour')}:${part('minute')}:${part('second')}`
}

/** `261124093000`, the form in barcodes. */
export function barcodeWords(ms: number): string {
  return instantWords(ms).replace(/\D/g, '').slice(2, 14)
}

function partsOf(ms: number): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = MELBOURNE.formatToParts(ms)
  return (type) => parts.find((part) => part.type === type)?.value ?? ''
}
