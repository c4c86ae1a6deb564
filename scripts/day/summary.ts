import { table } from '../../src/cli/table.ts'
import { formatDollars } from '../../src/domain/text/format-dollars.ts'
import { deliveryOf } from '../../test/harness/ledger.ts'
import type { Verdict } from '../../test/harness/promises.ts'
import { countEach } from '../../test/harness/report.ts'
import type { DayDelivery, DayEvidence } from './verify-day.ts'

export type Summary = {
  deliveries: number
  seconds: number
  amended: number
  cancelled: number
  states: Record<string, number>
  held: Record<string, number>
  refused: Record<string, number>
  carriers: CarrierFigures[]
  verdicts: Verdict[]
}

/** Of one carrier: the figures of its own ledger, then those of our record. */
type CarrierFigures = {
  carrier: string
  booked: number
  cancelled: number
  orders: number
  ours: number
  cents: number
  delivered: number
  late: number
  worst_minutes: number
}

/** The day in figures. */
export function summarise(evidence: DayEvidence, verdicts: Verdict[], seconds: number): Summary {
  const { deliveries, ledgerEntries, played } = evidence
  const held = deliveries.filter(({ status }) => status === 'on_hold')
  const providers = [...new Set(ledgerEntries.map(({ provider }) => provider))].sort()
  return {
    deliveries: deliveries.length,
    seconds: Math.round(seconds),
    amended: played.amended.size,
    cancelled: played.cancelled.size,
    states: countEach(deliveries.map(({ status }) => status)),
    held: countEach(held.map(({ status_reason }) => kindOf(status_reason ?? ''))),
    refused: Object.fromEntries([...played.refused].map(([name, { length }]) => [name, length])),
    carriers: providers.map((carrier) => figuresOf(carrier, evidence)),
    verdicts,
  }
}

function figuresOf(
  carrier: string,
  { deliveries, ledgerEntries, orders, deliveredAtMs }: DayEvidence,
): CarrierFigures {
  const its = ledgerEntries.filter(({ provider }) => provider === carrier)
  const ours = deliveries.filter(
    ({ provider, consignment_number }) => provider === carrier && consignment_number,
  )
  const lateMinutes = ours.flatMap(({ id, status, to_datetime }: DayDelivery) => {
    const atMs = status === 'delivered' ? deliveredAtMs.get(id) : undefined
    const late = atMs === undefined || !to_datetime ? 0 : atMs - Date.parse(to_datetime)
    return late > 0 ? Math.ceil(late / 60_000) : []
  })
  const count = (what: string) =>
    new Set(its.filter((entry) => entry.what === what).map(({ key }) => deliveryOf(key))).size
  return {
    carrier,
    booked: count('booked'),
    cancelled: count('cancelled'),
    orders: orders.filter(({ provider }) => provider === carrier).length,
    ours: ours.length,
    cents: ours.reduce((sum, { service_quote }) => sum + (service_quote?.price_cents ?? 0), 0),
    delivered: ours.filter(({ status }) => status === 'delivered').length,
    late: lateMinutes.length,
    worst_minutes: Math.max(0, ...lateMinutes),
  }
}

/** The figures for people. */
export function summaryText(summary: Summary): string {
  const { deliveries, seconds, amended, cancelled, states, held, refused, verdicts } = summary
  const wrong = verdicts.flatMap((verdict) => verdict.wrong)
  return [
    `${deliveries} deliveries in ${seconds} s; ${amended} amended, ${cancelled} cancelled.`,
    countTable('State', 'Deliveries', states),
    table(
      [
        'Carrier, by its own ledger',
        'Booked',
        'Cancelled',
        'Orders',
        'By us',
        'Cost',
        'Delivered',
        'Late',
        'Worst',
      ],
      summary.carriers.map(({ carrier, cents, delivered, late, worst_minutes, ...counts }) => [
        ...[carrier, ...Object.values(counts).map(String), formatDollars(cents), `${delivered}`, `${late}`],
        worst_minutes === 0 ? '' : `${worst_minutes} min`,
      ]),
    ),
    table(
      ['Compared with the carriers’ own ledgers', 'Counted', 'Wrong'],
      verdicts.map(({ promise, counted, wrong }) => [promise, `${counted}`, `${wrong.length}`]),
    ),
    countTable('On hold because', 'Deliveries', held),
    countTable('Refused', 'Times', refused),
    wrong.length === 0
      ? 'Every promise held.'
      : `${wrong.length} wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
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
