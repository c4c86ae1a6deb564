import { gs1Elements } from '../barcode-content.ts'

/** Bar and space widths of each symbol value, in modules (ISO/IEC 15417, table 1); 106 is the stop. */
const PATTERNS =
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232'
const STOP_PATTERN = '2331112'

const FNC1 = 102
const TO_C = 99
const TO_B = 100
const START = { B: 104, C: 105 } as const

/** The escapes that `^BC` needs for `>`, `^` and `~`. */
const ZPL_ESCAPES: Record<number, string> = { 30: '>0', 62: '><', 94: '>=' }

/** A symbol before it is drawn: its start code set and its values, without check and stop. */
export type Code128 = { values: readonly number[] }

/**
 * Encodes for print: code set C for runs of digits, B for the rest; the GS1 kind has FNC1 first and between
 * elements.
 */
export function code128(kind: 'gs1-128' | 'code128', text: string): Code128 {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError('Code 128 here carries printable ASCII only.')
  const parts = kind === 'gs1-128' ? gs1Elements(text) : [text]
  const values: number[] = []
  let set: 'B' | 'C' = /^\d{2}/.test(parts[0] ?? '') && digitsAt(parts[0] ?? '', 0) >= 4 ? 'C' : 'B'
  values.push(START[set])
  for (const [index, part] of parts.entries()) {
    if (kind === 'gs1-128' || index > 0) values.push(FNC1)
    for (let at = 0; at < part.length; ) {
      const digits = digitsAt(part, at)
      if (set === 'C' && digits >= 2) {
        values.push(Number(part.slice(at, at + 2)))
        at += 2
      } else if (set === 'B' && digits >= 4 && digits % 2 === 0) {
        values.push(TO_C)
        set = 'C'
      } else {
        if (set === 'C') values.push(TO_B)
        set = 'B'
        values.push(part.charCodeAt(at) - 32)
        at += 1
      }
    }
  }
  return { values }
}

/** Widths in modules, bar first, including the stop; the caller adds quiet zones. */
export function bars({ values }: Code128): number[] {
  const sum = values.reduce((total, value, index) => total + value * Math.max(1, index), 0)
  const symbols = [...values, sum % 103].map((value) => PATTERNS.slice(value * 6, value * 6 + 6))
  return [...symbols.join(''), ...STOP_PATTERN].map(Number)
}

/** The symbol as ZPL's `^BC` data with explicit code sets, so that a printer draws exactly these bars. */
export function zplCode128({ values }: Code128): string {
  let set = values[0] === START.C ? 'C' : 'B'
  let text = set === 'C' ? '>;' : '>:'
  for (const value of values.slice(1)) {
    if (value === FNC1) text += '>8'
    else if (set === 'B' && value === TO_C) [set, text] = ['C', `${text}>5`]
    else if (set === 'C' && value === TO_B) [set, text] = ['B', `${text}>6`]
    else if (set === 'C') text += String(value).padStart(2, '0')
    else text += ZPL_ESCAPES[value] ?? String.fromCharCode(value + 32)
  }
  return text
}

function digitsAt(text: string, at: number): number {
  let end = at
  while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++
  return end - at
}
