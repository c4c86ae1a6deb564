import { table } from '../../../src/cli/table.ts'
import { deliveryOf } from '../../../test/harness/ledger.ts'
import type { Verdict } from '../../../test/harness/promises.ts'
import { countEach } from '../../../test/harness/report.ts'
import { dollars } from '../../tour/print.ts'
import { rowsOf } from '../summary.ts'
import type { Evidence } from './evidence.ts'

export type NetworkSummary = {
  deliveries: number
  seconds: number
  states: Record<string, number>
  carriers: {
    carrier: string
    booked: number
    cancelled: number
    orders: number
    ours: number
    cents: number
  }[]
  held: Record<string, number>
  refused: Record<string, number>
  verdicts: Verdict[]
}

/** The day in figures: for each carrier, those of its own ledger and of our record. */
export function summariseNetworks(evidence: Evidence, verdicts: Verdict[], seconds: number): NetworkSummary {
  const { deliveries, ledgerEntries, orders, played } = evidence
  return {
    deliveries: deliveries.length,
    seconds: Math.round(seconds),
    states: countEach(deliveries.map(({ status }) => status)),
    carriers: [...Map.groupBy(ledgerEntries, ({ provider }) => provider)].sort().map(([carrier, its]) => {
      const ours = deliveries.filter(
        ({ provider, consignment_number }) => provider === carrier && consignment_number,
      )
      const keysOf = (what: string) =>
        new Set(its.filter((entry) => entry.what === what).map(({ key }) => deliveryOf(key))).size
      return {
        carrier,
        booked: keysOf('booked'),
        cancelled: keysOf('cancelled'),
        orders: orders.filter(({ provider }) => provider === carrier).length,
        ours: ours.length,
        cents: ours.reduce((sum, { service_quote }) => sum + (service_quote?.price_cents ?? 0), 0),
      }
    }),
    held: countEach(
      deliveries.flatMap(({ status, status_reason }) =>
        status === 'on_hold' ? (status_reason ?? '').replaceAll(/\b[\w-]*\d[\w-]*\b/g, '…').slice(0, 80) : [],
      ),
    ),
    refused: Object.fromEntries([...played.refused].map(([name, { length }]) => [name, length])),
    verdicts,
  }
}

export function networkSummaryText(summary: NetworkSummary): string {
  const { states, carriers, held, refused, verdicts } = summary
  const wrong = verdicts.flatMap((verdict) => verdict.wrong)
  return [
    `${summary.deliveries} deliveries in ${summary.seconds} s.`,
    table(['State', 'Deliveries'], rowsOf(states)),
    table(
      ['Carrier, by its own ledger', 'Booked', 'Cancelled', 'Orders', 'By us', 'Cost'],
      carriers.map(({ carrier, booked, cancelled, orders, ours, cents }) => [
        carrier,
        `${booked}`,
        `${cancelled}`,
        `${orders}`,
        `${ours}`,
        dollars(cents),
      ]),
    ),
    ...(Object.keys(held).length > 0 ? [table(['On hold because', 'Deliveries'], rowsOf(held))] : []),
    ...(Object.keys(refused).length > 0 ? [table(['Refused', 'Times'], rowsOf(refused))] : []),
    table(
      ['Compared with the carriers’ own ledgers', 'Counted', 'Wrong'],
      verdicts.map(({ promise, counted: looked, wrong: broken }) => [
        promise,
        `${looked}`,
        `${broken.length}`,
      ]),
    ),
    wrong.length === 0
      ? 'Every promise held.'
      : `${wrong.length} wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`,
  ].join('\n\n')
}
