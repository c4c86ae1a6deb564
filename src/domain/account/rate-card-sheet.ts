import type { z } from 'zod'
import { RateCardDocument } from './document/document-rate-card.ts'
import type { Path } from './document/schema-at.ts'
import type { AccountMistake } from './validation/mistake.ts'
import { rateCardMistakes } from './validation/rate-card-mistakes.ts'

/** A rate card as written in an account document. */
export type GivenRateCard = z.input<typeof RateCardDocument>
/** `row` counts as spreadsheets do: the headings are row 1. */
export type SheetMistake = { row: number; column: string; message: string }

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
type Line = { row: number; cell(head: Head): string }

/**
 * The card as rows of a spreadsheet, with amounts in dollars. `readRateCardSheet` reads them back into the
 * same card.
 */
export function rateCardSheet({ zones, rates, surcharges = [] }: GivenRateCard): string[][] {
  const line = (cells: Partial<Record<Head, string>>) => HEADS.map((head) => cells[head] ?? '')
  return [
    [...HEADS],
    ...Object.entries(zones).map(([zone, codes]) => line({ kind: 'zone', zone, postcodes: codes.join(' ') })),
    ...rates.map(({ zone, up_to_kg, cents, cents_per_extra_kg: extra }) =>
      line({
        kind: 'rate',
        zone,
        up_to_kg: `${up_to_kg}`,
        price: dollars(cents),
        per_extra_kg: extra === undefined ? '' : dollars(extra),
      }),
    ),
    ...surcharges.map(({ name, when = 'always', over_kg, over_cm, cents = 0, percent = 0 }) =>
      line({
        kind: 'surcharge',
        name,
        when:
          over_kg !== undefined ? `over ${over_kg} kg` : over_cm !== undefined ? `over ${over_cm} cm` : when,
        price: cents === 0 ? '' : dollars(cents),
        percent: percent === 0 ? '' : `${percent}`,
      }),
    ),
  ]
}

/** Reads a card from the rows of a spreadsheet. Returns the card or every mistake by row and column, never both. */
export function readRateCardSheet(
  rows: readonly (readonly string[])[],
): { card: GivenRateCard; mistakes: [] } | { card: null; mistakes: SheetMistake[] } {
  const heads = (rows[0] ?? []).map((head) => head.trim().toLowerCase().replaceAll(/[ -]+/g, '_'))
  const missing = HEADS.filter((head) => !heads.includes(head) && ['kind', 'zone', 'price'].includes(head))
  if (missing.length > 0) {
    const message = `The first row names the columns ${HEADS.join(', ')}; ${missing.join(' and ')} is missing.`
    return { card: null, mistakes: [{ row: 1, column: missing[0] as string, message }] }
  }
  const lines = rows.slice(1).map((cells, index): Line => {
    const cell = (head: Head) => cells[heads.indexOf(head)]?.trim() ?? ''
    return { row: index + 2, cell }
  })
  const sheet = readLines(lines.filter((_, index) => rows[index + 1]?.some((cell) => cell.trim() !== '')))
  const shape = RateCardDocument.safeParse(sheet.card)
  const issues = shape.success
    ? [...rateCardMistakes(sheet.card, [])]
    : shape.error.issues.map(
        (issue): AccountMistake => ({
          path: issue.path as Path,
          kind: 'invalid_value',
          wrong: issue.message,
          remedy: '',
        }),
      )
  const mistakes = [...sheet.mistakes, ...issues.map((issue) => atItsRow(issue, sheet.rowOf))]
  if (mistakes.length > 0) return { card: null, mistakes: mistakes.sort((a, b) => a.row - b.row) }
  return { card: sheet.card, mistakes: [] }
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
      if (zone === '') wrong('zone', 'A zone needs a name.')
      const codes = line
        .cell('postcodes')
        .split(/[\s,;]+/)
        .filter(Boolean)
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
        ...conditionOf(line.cell('when'), wrong),
        ...{ cents: amount('price', 100) ?? 0, percent: amount('percent', 1) ?? 0 },
      })
    } else {
      wrong('kind', `"${line.cell('kind')}" is none of zone, rate, surcharge.`)
    }
  }
  const given = { zones: Object.fromEntries(zones), ...card } as GivenRateCard
  return { card: given, mistakes, rowOf }
}

type Wrong = (column: Head, message: string) => void

function conditionOf(text: string, wrong: Wrong): object {
  const words = text.toLowerCase().replaceAll(/[ -]+/g, '_') || 'always'
  if (['always', 'residential', 'dangerous_goods'].includes(words)) return { when: words }
  const over = /^over_(\d+(?:\.\d+)?)_?(kg|cm)$/.exec(words)
  if (over) return { [`over_${over[2]}`]: Number(over[1]) }
  wrong('when', `"${text}" is none of always, residential, dangerous goods, over 20 kg, over 120 cm.`)
  return {}
}

/** Null when the cell is empty, or is not a number (a mistake). Whole numbers after scaling, as for cents. */
function numberAt({ cell }: Line, head: Head, scale: number, wrong: Wrong): number | null {
  const text = cell(head)
    .replace(/^\$\s*/, '')
    .replace(/\s*%$/, '')
  if (text === '') return null
  if (!/^\d+(?:\.\d+)?$/.test(text)) {
    wrong(head, `"${cell(head)}" is no number: write 12.50.`)
    return null
  }
  const value = Math.round(Number(text) * scale * 1e6) / 1e6
  if (head === 'price' && !Number.isInteger(value)) {
    wrong(head, `"${cell(head)}" has a fraction of a cent.`)
    return null
  }
  return value
}

/** Reports an empty cell that is required. Its replacement value only keeps the rest readable. */
function required(value: number | null, head: Head, { cell }: Line, wrong: Wrong): number {
  if (value === null && cell(head) === '') wrong(head, 'It is missing.')
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

function atItsRow({ path, wrong, remedy }: AccountMistake, rowOf: ReadonlyMap<string, number>): SheetMistake {
  const keys = path.map((_, index) => path.slice(0, path.length - index).join('.'))
  const row = keys.map((key) => rowOf.get(key)).find((found) => found !== undefined) ?? 1
  const last = path.findLast((step) => typeof step === 'string' && Object.hasOwn(COLUMN_OF, step))
  const column = path[0] === 'zones' ? 'postcodes' : (COLUMN_OF[String(last)] ?? 'kind')
  return { row, column, message: remedy ? `${wrong}: ${remedy}.` : `${wrong}.` }
}

function dollars(cents: number): string {
  return Number.isInteger(cents) ? (cents / 100).toFixed(2) : `${Math.round(cents * 1e4) / 1e6}`
}
