import pg from 'pg'

/** The parser of a type's text (or bytes), by the type's OID. */
export function getParser(oid: number, format?: string): (text: string) => unknown {
  const ours = format === 'binary' ? undefined : OURS[oid]
  return ours ?? pg.types.getTypeParser(oid, format as 'text')
}

/** Epoch milliseconds of a `timestamptz` in PostgreSQL's ISO format; finer digits are cut off. */
export function parseInstant(text: string): number {
  if (text.charCodeAt(4) === DASH && text.endsWith('+00')) {
    const fraction = text.length > 22 ? Number(text.slice(19, -3)) : 0
    return (
      Date.UTC(
        Number(text.slice(0, 4)),
        Number(text.slice(5, 7)) - 1,
        Number(text.slice(8, 10)),
        Number(text.slice(11, 13)),
        Number(text.slice(14, 16)),
        Number(text.slice(17, 19)),
      ) + Math.floor(fraction * 1000 + 1e-6)
    )
  }
  if (text === 'infinity') return Number.POSITIVE_INFINITY
  if (text === '-infinity') return Number.NEGATIVE_INFINITY
  const ms = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (Number.isNaN(ms)) throw new RangeError(`Not an instant we can read: ${text}`)
  return ms
}

/** A number that is exactly representable. Throws RangeError if a whole number would lose digits. */
export function parseExact(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is too large for a number: select it as text.`)
  }
  return value
}

const DASH = '-'.charCodeAt(0)

/** Types by OID (pg_type.dat): 20 int8, 1700 numeric, 1184 timestamptz, 1082 date; 10xx, 11xx, 1231 their arrays. */
const OURS: Record<number, (text: string) => unknown> = {
  20: parseExact,
  1016: listOf(parseExact),
  1700: parseExact,
  1231: listOf(parseExact),
  1184: parseInstant,
  1185: listOf(parseInstant),
  1082: (text) => text,
  1182: listOf((text) => text),
}

/** Flat arrays of values that need no escape: any quotes only enclose spaces. */
function listOf<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  return (text) => {
    const inner = text.slice(1, -1).replaceAll('"', '')
    return inner === '' ? [] : inner.split(',').map((item) => (item === 'NULL' ? null : parse(item)))
  }
}
