import { table } from '../../src/cli/table.ts'
import { countEach } from '../../test/harness/report.ts'
import { dollars } from '../tour/print.ts'
import type { Played } from './run-day.ts'
import type { DayDelivery, DayReport } from './verify-day.ts'

export type Summary = {
  deliveries: number
  states: Record<string, number>
  carriers: {
    carrier: string
    deliveries: number
    cents: number
    delivered: number
    late: number
    worst_minutes: number
  }[]
  held: Record<string, number>
  refused: Record<string, number>
  amended: number
  cancelled: number
  seconds: number
  wrong: string[]
}

/** The day in figures. */
export function summarise({ deliveries, wrong }: DayReport, played: Played, seconds: number): Summary {
  const booked = Map.groupBy(
    deliveries.filter(({ consignment_number }) => consignment_number),
    ({ carrier_provider }) => carrier_provider ?? 'unknown',
  )
  return {
    deliveries: deliveries.length,
    states: countEach(deliveries.map(({ status }) => status)),
    carriers: [...booked].sort().map(([carrier, its]) => carrierLine(carrier, its, played)),
    held: countEach(
      deliveries.flatMap(({ status, status_reason }) =>
        status === 'on_hold' ? kindOf(status_reason ?? '') : [],
      ),
    ),
    refused: Object.fromEntries([...played.refused].map(([name, { length }]) => [name, length])),
    amended: played.amended.size,
    cancelled: played.cancelled.size,
    seconds: Math.round(seconds),
    wrong,
  }
}

/** The same as tables, for people. */
export function summaryText(summary: Summary): string {
  const { states, carriers, held, refused, wrong } = summary
  const minutes = (late: number) => (late === 0 ? '' : `${late} min`)
  return [
    `${summary.deliveries} deliveries in ${summary.seconds} s; ${summary.amended} amended, ${summary.cancelled} cancelled.`,
    table(['State', 'Deliveries'], rowsOf(states)),
    table(
      ['Carrier', 'Booked', 'Cost', 'Each', 'Delivered', 'Late', 'Worst'],
      carriers.map(({ carrier, deliveries, cents, delivered, late, worst_minutes }) => [
        carrier,
        `${deliveries}`,
        dollars(cents),
        dollars(cents / deliveries),
        `${delivered}`,
        `${late}`,
        minutes(worst_minutes),
      ]),
    ),
    ...(Object.keys(held).length > 0 ? [table(['On hold because', 'Deliveries'], rowsOf(held))] : []),
    ...(Object.keys(refused).length > 0 ? [table(['Refused', 'Times'], rowsOf(refused))] : []),
    wrong.length === 0
      ? 'No delivery is stuck, lost or booked twice.'
      : `${wrong.length} wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
  ].join('\n\n')
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

export function rowsOf(counts: Record<string, number>): string[][] {
  return Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => [name, `${count}`])
}

/** A reason without the names and numbers that make each one different. */
function kindOf(reason: string): string {
  const [sentence = ''] = reason.split(/(?<=[.:]) /)
  return sentence.replaceAll(/\b[\w-]*\d[\w-]*\b/g, '…').slice(0, 80)
}
