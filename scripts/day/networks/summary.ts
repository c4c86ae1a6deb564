import { table } from '../../../src/cli/table.ts'
import { deliveryOf } from '../../../test/harness/ledger.ts'
import type { Verdict } from '../../../test/harness/promises.ts'
import { dollars } from '../../tour/print.ts'
import { type DayFigures, figuresOf, figuresText } from '../summary.ts'
import type { Evidence } from './evidence.ts'

export type NetworkSummary = DayFigures & {
  carriers: {
    carrier: string
    booked: number
    cancelled: number
    orders: number
    ours: number
    cents: number
  }[]
  verdicts: Verdict[]
}

/** The day in figures: for each carrier, those of its own ledger and of our record. */
export function summariseNetworks(evidence: Evidence, verdicts: Verdict[], seconds: number): NetworkSummary {
  const { deliveries, ledgerEntries, orders, played } = evidence
  return {
    ...figuresOf(deliveries, played, seconds),
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
    verdicts,
  }
}

export function networkSummaryText(summary: NetworkSummary): string {
  const carriers = table(
    ['Carrier, by its own ledger', 'Booked', 'Cancelled', 'Orders', 'By us', 'Cost'],
    summary.carriers.map(({ carrier, cents, ...counts }) => [
      carrier,
      ...Object.values(counts).map(String),
      dollars(cents),
    ]),
  )
  const verdicts = table(
    ['Compared with the carriers’ own ledgers', 'Counted', 'Wrong'],
    summary.verdicts.map(({ promise, counted, wrong }) => [promise, `${counted}`, `${wrong.length}`]),
  )
  const head = `${summary.deliveries} deliveries in ${summary.seconds} s.`
  const wrong = summary.verdicts.flatMap((verdict) => verdict.wrong)
  return figuresText(head, summary, [carriers, verdicts], { wrong, kept: 'Every promise held.' })
}
