/** An entry of the sandbox carriers' ledger. */
export type SandboxEntry = {
  reference: string
  carrier?: string
  operation: string
  outcome: string
  consignment_number?: string | null
}

export type SandboxBookings = {
  /** Reference → numbers of the bookings that are active at the end. */
  active: ReadonlyMap<string, ReadonlySet<string>>
  /** References with two active bookings at some moment → the carrier of the second. */
  doubled: ReadonlyMap<string, string>
}

/** Replays the ledger, oldest entry first. */
export function replaySandboxLedger(entries: readonly SandboxEntry[]): SandboxBookings {
  const active = new Map<string, Set<string>>()
  const doubled = new Map<string, string>()
  for (const { reference, carrier = '', operation, outcome, consignment_number } of entries) {
    const numbers = active.get(reference) ?? new Set()
    active.set(reference, numbers)
    if (operation === 'book' && outcome === 'booked') numbers.add(consignment_number ?? '')
    if (operation === 'cancel' && outcome === 'cancelled') numbers.delete(consignment_number ?? '')
    if (numbers.size > 1) doubled.set(reference, carrier)
  }
  return { active, doubled }
}
