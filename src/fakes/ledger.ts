import type { Clock } from './clock.ts'

/** `what` is `request` for each exchange, or a deed of the carrier: `shipment_created`, `order_created` … */
export type LedgerEntry = Readonly<{ number: number; at: string; what: string } & Record<string, unknown>>

/** What happened, in order, from 1 and without gaps. Nothing is ever taken back. */
export type Ledger = {
  write(what: string, facts: Readonly<Record<string, unknown>>): void
  entries(wanted?: { after?: number; what?: string }): LedgerEntry[]
}

export function startLedger(clock: Clock): Ledger {
  const entries: LedgerEntry[] = []
  return {
    write(what, facts) {
      const at = new Date(clock.nowMs()).toISOString()
      entries.push(structuredClone({ ...facts, number: entries.length + 1, at, what }))
    },
    entries: ({ after = 0, what } = {}) =>
      entries.slice(after).filter((entry) => what === undefined || entry.what === what),
  }
}
