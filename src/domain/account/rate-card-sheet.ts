import type { z } from 'zod'
import {
  type Columns,
  cellExcerpt,
  readTable,
  type SheetInput,
  type SheetLine,
  type SheetMistake,
} from '../text/sheet-table.ts'
import { RateCardDocument } from './document/document-rate-card.ts'
import { type AccountMistake, toIssue } from './validation/mistake.ts'
import { rateCardMistakes } from './validation/rate-card-mistakes.ts'
import { shapeMistakes } from './validation/shape-mistakes.ts'

/** A rate card as written in an account document. */
export type RateCardInput = z.input<typeof RateCardDocument>

const HEADS = [
  'kind',
  'zone',
  'postcodes',
  'up_to_kg',
  'price',
  'per_extra_kg',
  'name',
  'when',
  'percent',
] as const
type Head = (typeof HEADS)[number]
type Line = SheetLine<Head>

/**
 * The card as rows of a spreadsheet, with amounts in dollars. `readRateCardSheet` reads them back into the
 * same card.
 */
export function rateCardSheet({ zones, rates, surcharges = [] }: RateCardInput): string[][] {
  const line = (cells: Partial<Record<Head, string>>) => HEADS.map((head) => cells[head] ?? '')
  return [
    [...HEADS],
    ...Object.entries(zones).map(([zone, codes]) => line({ kind: 'zone', zone, postcodes: codes.join(' ') })),
    ...rates.map(({ zone, up_to_kg, cents, cents_per_extra_kg: extra }) =>
      line({
        kind: 'rate',
        zone,
        up_to_kg: `${up_to_kg}`,
        price: toSheetPrice(cents),
        per_extra_kg: extra === undefined ? '' : toSheetPrice(extra),
      }),
    ),
    ...surcharges.map(({ name, when = 'always', over_kg, over_cm, cents = 0, percent = 0 }) =>
      line({
        kind: 'surcharge',
        name,
        when:
          over_kg !== undefined ? `over ${over_kg} kg` : over_cm !== undefined ? `over ${over_cm} cm` : when,
        price: cents === 0 ? '' : toSheetPrice(cents),
        percent: percent === 0 ? '' : `${percent}`,
      }),
    ),
  ]
}

const COLUMNS: Columns<Head> = {
  known: HEADS,
  needed: ['kind', 'zone', 'price'],
  list: 'a price list',
  others: 'refused',
}

/**
 * Reads a card from the sheets of a file: the first that has the headings. Returns the card or every mistake by row and
 * column, never both.
 */
export function readRateCardSheet(
  sheets: readonly SheetInput[],
): { card: RateCardInput; mistakes: [] } | { card: null; mistakes: SheetMistake[] } {
  const { lines, mistakes: strange } = readTable(sheets, COLUMNS)
  if (!lines) return { card: null, mistakes: strange }
  const read = readLines(lines)
  const shape = RateCardDocument.safeParse(read.card)
  const issues = shape.success
    ? rateCardMistakes(read.card, [])
    : shapeMistakes(RateCardDocument, read.card, shape.error.issues)
  const mistakes = [...strange, ...read.mistakes, ...issues.map((issue) => atItsRow(issue, read.rowOf))]
  if (mistakes.length > 0) return { card: null, mistakes: mistakes.sort((a, b) => a.row - b.row) }
  return { card: read.card, mistakes: [] }
}

function readLines(lines: readonly Line[]) {
  const zones = new Map<string, string[]>()
  const card = { rates: [] as object[], surcharges: [] as object[] }
  const mistakes: SheetMistake[] = []
  const rowOf = new Map<string, number>()
  for (const line of lines) {
    const wrong = (column: Head, message: string) => void mistakes.push({ row: line.row, column, message })
    const amount = (head: Head, scale: number) => numberAt(line, head, scale, wrong)
    const kind = line.cell('kind').toLowerCase()
    if (kind === 'zone') {
      const zone = line.cell('zone')
      if (zone === '') wrong('zone', 'The zone has no name. Write a name, such as Metro.')
      const codes = postCodesIn(line.cell('postcodes'))
      const before = zones.get(zone) ?? []
      for (const index of codes.keys()) rowOf.set(`zones.${zone}.${before.length + index}`, line.row)
      if (!rowOf.has(`zones.${zone}`)) rowOf.set(`zones.${zone}`, line.row)
      zones.set(zone, [...before, ...codes])
    } else if (kind === 'rate') {
      rowOf.set(`rates.${card.rates.length}`, line.row)
      const extra = amount('per_extra_kg', 100)
      card.rates.push({
        zone: line.cell('zone'),
        up_to_kg: required(amount('up_to_kg', 1), 'up_to_kg', line, wrong),
        cents: required(amount('price', 100), 'price', line, wrong),
        ...(extra === null ? {} : { cents_per_extra_kg: extra }),
      })
    } else if (kind === 'surcharge') {
      rowOf.set(`surcharges.${card.surcharges.length}`, line.row)
      card.surcharges.push({
        name: line.cell('name'),
        ...parseCondition(line.cell('when'), wrong),
        ...toAmount('cents', amount('price', 100)),
        ...toAmount('percent', amount('percent', 1)),
      })
    } else {
      wrong(
        'kind',
        `"${cellExcerpt(line.cell('kind'))}" is not a kind of row. Write zone, rate or surcharge.`,
      )
    }
  }
  const input = { zones: Object.fromEntries(zones), ...card } as RateCardInput
  return { card: input, mistakes, rowOf }
}

/** Omitted when it is empty, as in a document that lists only what it has. */
function toAmount(name: 'cents' | 'percent', value: number | null): object {
  return value === null || value === 0 ? {} : { [name]: value }
}

type Wrong = (column: Head, message: string) => void

function parseCondition(text: string, wrong: Wrong): object {
  const key = text.toLowerCase().replaceAll(/[ -]+/g, '_') || 'always'
  if (key === 'always') return {}
  if (['residential', 'dangerous_goods'].includes(key)) return { when: key }
  const over = /^(?:over|>)_?(\d+(?:\.\d+)?)_?(kg|cm)$/.exec(key)
  if (over) return { [`over_${over[2]}`]: Number(over[1]) }
  wrong(
    'when',
    `"${cellExcerpt(text)}" is not a condition. Write always, residential, dangerous goods, or a limit such as over 20 kg or over 120 cm.`,
  )
  return {}
}

/** Ranges with any dash, `3000 – 3207`; spreadsheets drop the first 0 of `0800`. */
function postCodesIn(text: string): string[] {
  return text
    .replace(/\s*[-‐‑‒–—―]\s*/g, '-')
    .split(/[\s,;/]+/)
    .filter(Boolean)
    .map((range) => range.replace(/\b\d{3}\b/g, (code) => `0${code}`))
}

/** Null when the cell is empty, or is not a number (a mistake). Whole numbers after scaling, as for cents. */
function numberAt({ cell }: Line, head: Head, scale: number, wrong: Wrong): number | null {
  const text = plainAmount(cell(head), head)
  if (text === '') return null
  if (!/^\d+(?:\.\d+)?$/.test(text)) {
    wrong(head, `"${cellExcerpt(cell(head))}" is not a number. Write a number such as 12.50.`)
    return null
  }
  const value = Math.round(Number(text) * scale * 1e6) / 1e6
  if (head === 'price' && !Number.isInteger(value)) {
    wrong(head, `"${cellExcerpt(cell(head))}" has a fraction of a cent. Write an amount such as 12.50.`)
    return null
  }
  return value
}

/** The unit that may follow a number in each column. */
const UNITS: Readonly<Partial<Record<Head, RegExp>>> = {
  up_to_kg: /\s*(?:kg|kgs|kilos?)\.?$/i,
  per_extra_kg: /\s*(?:\/|per)\s*kg$/i,
  percent: /\s*%$/,
}

/** `$1,450.00`, `AUD 12`, `5 kg`, `8,5 %` and `1 450` as plain digits with a point. */
function plainAmount(text: string, head: Head): string {
  const bare = text
    .trim()
    .replace(/^(?:A?\$|AUD)\s*/i, '')
    .replace(UNITS[head] ?? /$^/, '')
    .replace(/\s*AUD$/i, '')
    .replace(/(?<=\d)[\s\u00a0\u202f](?=\d{3}\b)/g, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)) return bare.replaceAll(',', '')
  if (/^\d+,\d{1,2}$/.test(bare)) return bare.replace(',', '.')
  if (/^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  return bare
}

/** Reports an empty cell that is required. Its replacement value only keeps the rest readable. */
function required(value: number | null, head: Head, { cell }: Line, wrong: Wrong): number {
  if (value === null && cell(head) === '') wrong(head, 'This cell is empty. Write a number such as 12.50.')
  return value ?? 1
}

const COLUMN_OF: Readonly<Record<string, Head>> = {
  zones: 'postcodes',
  zone: 'zone',
  up_to_kg: 'up_to_kg',
  cents: 'price',
  cents_per_extra_kg: 'per_extra_kg',
  name: 'name',
  when: 'when',
  over_kg: 'when',
  over_cm: 'when',
  percent: 'percent',
}

function atItsRow(mistake: AccountMistake, rowOf: ReadonlyMap<string, number>): SheetMistake {
  const { path } = mistake
  const keys = path.map((_, index) => path.slice(0, path.length - index).join('.'))
  const row = keys.map((key) => rowOf.get(key)).find((found) => found !== undefined) ?? 1
  const last = path.findLast((step) => typeof step === 'string' && Object.hasOwn(COLUMN_OF, step))
  const column = path[0] === 'zones' ? 'postcodes' : (COLUMN_OF[String(last)] ?? 'kind')
  return { row, column, message: toIssue(mistake).message }
}

function toSheetPrice(cents: number): string {
  return Number.isInteger(cents) ? (cents / 100).toFixed(2) : `${Math.round(cents * 1e4) / 1e6}`
}
