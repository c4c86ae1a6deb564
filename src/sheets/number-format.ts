/**
 * How a number is shown by its cell's format (ECMA-376, 18.8.30): only what changes its meaning. A currency sign,
 * thousands separators and decimals do not.
 */
export type Shown = (value: number) => string | null

/** Ids of formats that every workbook has without naming them. */
const BUILT_IN: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}

/** Null from the function: the format changes the meaning in a way that we don't read. */
export function toShown(id: number, code: string | undefined, isFrom1904: boolean): Shown {
  const format = withoutLiterals(code ?? BUILT_IN[id] ?? 'General')
  if (/[dmyhs]/i.test(format)) return (value) => dateText(value, isFrom1904, format)
  if (format.includes('%')) return (value) => `${plainNumber(value * 100)}%`
  // `0.0,` shows thousands: 1,450 as 1.5.
  if (/[0#?],+(?![0#?])/.test(format)) return () => null
  const padded = /^0+$/.exec(format)?.[0].length ?? 0
  if (padded > 1) return (value) => plainNumber(value).padStart(padded, '0')
  return plainNumber
}

/** Excel's own limit; ECMA-376 has none. */
export const MAX_FORMAT_LENGTH = 255

/** The first section of a format, without literal text, colours and fill. A match ends at any bracket: linear time. */
function withoutLiterals(code: string): string {
  return (code.replace(/"[^"]*"|\\./g, '').split(';')[0] ?? '')
    .replace(/\[(?![hms]+\])[^[\]]*\]|_.|\*./gi, '')
    .trim()
}

/** Without the noise of binary fractions: 14.499999999999998 is 14.5. */
export function plainNumber(value: number): string {
  const number = Number(value.toPrecision(15))
  return Math.abs(number) < 1e21 && !Number.isInteger(number) && Math.abs(number) < 1e-6
    ? number.toFixed(12).replace(/0+$/, '')
    : String(number)
}

function dateText(value: number, isFrom1904: boolean, format: string): string {
  const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const ms = epoch + Math.round(value * 86_400) * 1_000
  if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) return plainNumber(value)
  const iso = new Date(ms).toISOString()
  const hasDay = /[dy]/i.test(format)
  const hasTime = /[hs]/i.test(format)
  // Even if the format hides the seconds: 14:05:50 is not 14:05.
  const time = iso.slice(11, 19).replace(/:00$/, '')
  if (!hasDay) return time
  return hasTime ? `${iso.slice(0, 10)}T${time}` : iso.slice(0, 10)
}
