import { table } from '../../src/cli/table.ts'
import { countEach } from '../../test/harness/report.ts'
import { dollars } from '../tour/print.ts'
import type { Played } from './run-day.ts'
import type { DayDelivery, DayReport } from './verify-day.ts'

/** The figures that every day has. */
export type DayFigures = {
  deliveries: number
  seconds: number
  states: Record<string, number>
  held: Record<string, number>
  refused: Record<string, number>
}

export type Summary = DayFigures & {
  carriers: {
    carrier: string
    deliveries: number
    cents: number
    delivered: number
    late: number
    worst_minutes: number
  }[]
  amended: number
  cancelled: number
  wrong: string[]
}

export function figuresOf(
  deliveries: readonly DayDelivery[],
  { refused }: Pick<Played, 'refused'>,
  seconds: number,
): DayFigures {
  return {
    deliveries: deliveries.length,
    seconds: Math.round(seconds),
    states: countEach(deliveries.map(({ status }) => status)),
    held: countEach(
      deliveries.flatMap(({ status, status_reason }) =>
        status === 'on_hold' ? kindOf(status_reason ?? '') : [],
      ),
    ),
    refused: Object.fromEntries([...refused].map(([name, { length }]) => [name, length])),
  }
}

/** The figures for people: `tables` of the carriers, and a sentence if nothing is wrong. */
export function figuresText(
  head: string,
  { states, held, refused }: DayFigures,
  tables: readonly string[],
  { wrong, kept }: { wrong: readonly string[]; kept: string },
): string {
  return [
    head,
    countTable('State', 'Deliveries', states),
    ...tables,
    countTable('On hold because', 'Deliveries', held),
    countTable('Refused', 'Times', refused),
    wrong.length === 0 ? kept : `${wrong.length} wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** The day in figures. */
export function summarise({ deliveries, wrong }: DayReport, played: Played, seconds: number): Summary {
  const booked = Map.groupBy(
    deliveries.filter(({ consignment_number }) => consignment_number),
    ({ carrier_provider }) => carrier_provider ?? 'unknown',
  )
  return {
    ...figuresOf(deliveries, played, seconds),
    carriers: [...booked].sort().map(([carrier, its]) => carrierLine(carrier, its, played)),
    amended: played.amended.size,
    cancelled: played.cancelled.size,
    wrong,
  }
}

export function summaryText(summary: Summary): string {
  const { deliveries, seconds, amended, cancelled, wrong } = summary
  const carriers = table(
    ['Carrier', 'Booked', 'Cost', 'Each', 'Delivered', 'Late', 'Worst'],
    summary.carriers.map(({ carrier, deliveries, cents, delivered, late, worst_minutes }) => [
      ...[carrier, `${deliveries}`, dollars(cents), dollars(cents / deliveries), `${delivered}`, `${late}`],
      worst_minutes === 0 ? '' : `${worst_minutes} min`,
    ]),
  )
  const head = `${deliveries} deliveries in ${seconds} s; ${amended} amended, ${cancelled} cancelled.`
  return figuresText(head, summary, [carriers], {
    wrong,
    kept: 'No delivery is stuck, lost or booked twice.',
  })
}

function carrierLine(
  carrier: string,
  its: readonly DayDelivery[],
  { feed }: Played,
): Summary['carriers'][number] {
  const delivered = its.filter(({ status }) => status === 'delivered')
  const lateMinutes = delivered.flatMap(({ id, to_datetime }) => {
    const atMs = feed.deliveredAtMs.get(id)
    const late = atMs === undefined || !to_datetime ? 0 : atMs - Date.parse(to_datetime)
    return late > 0 ? Math.ceil(late / 60_000) : []
  })
  return {
    carrier,
    deliveries: its.length,
    cents: its.reduce((sum, { service_quote }) => sum + (service_quote?.price_cents ?? 0), 0),
    delivered: delivered.length,
    late: lateMinutes.length,
    worst_minutes: Math.max(0, ...lateMinutes),
  }
}

/** The most frequent first; empty without counts. */
function countTable(name: string, unit: string, counts: Record<string, number>): string {
  const rows = Object.entries(counts).sort((a, b) => b[1] - a[1])
  return rows.length === 0
    ? ''
    : table(
        [name, unit],
        rows.map(([what, count]) => [what, `${count}`]),
      )
}

/** A reason without the names and numbers that make each one different. */
function kindOf(reason: string): string {
  const [sentence = ''] = reason.split(/(?<=[.:]) /)
  return sentence.replaceAll(/\b[\w-]*\d[\w-]*\b/g, '…').slice(0, 80)
}
