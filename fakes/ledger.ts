import type { Clock } from './clock.ts'

/** `what` is `request` for each exchange, or an action of the carrier: `shipment_created`, `order_created` … */
export type LedgerEntry = Readonly<{ number: number; at: string; what: string } & Record<string, unknown>>

/** An append-only log of events, in order, numbered from 1 without gaps. */
export type Ledger = {
  write(what: string, facts: Readonly<Record<string, unknown>>): void
  entries(filter?: { after?: number; what?: string }): LedgerEntry[]
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
