import { type Ask, pages } from './http.ts'
import type { LedgerEntry } from './ledger.ts'

/** An entry of the sandbox carriers' ledger. */
export type SandboxEntry = {
  reference: string
  carrier: string
  operation: string
  outcome: string
  consignment_number?: string | null
}

const OUTCOMES: Readonly<Record<string, LedgerEntry['what']>> = {
  'book booked': 'booked',
  'cancel cancelled': 'cancelled',
}

/** Bookings in the sandbox carriers' one ledger, oldest first. `deliveries`: whose reference an entry has. */
export function sandboxEntries(
  entries: readonly SandboxEntry[],
  deliveries: readonly { id: string; reference: string }[] = [],
): LedgerEntry[] {
  const idOf = new Map(deliveries.map(({ id, reference }) => [reference, id]))
  return entries.flatMap(({ reference, carrier, operation, outcome, consignment_number }) => {
    const what = OUTCOMES[`${operation} ${outcome}`]
    const [key, id] = [idOf.get(reference) ?? reference, consignment_number ?? '']
    return what ? { what, ledger: 'sandbox', provider: carrier, key, unit: key, id, numbers: [id] } : []
  })
}

/** The account's bookings, as the operator reads them. */
export async function readSandboxLedger(
  operate: Ask,
  accountId: string,
  deliveries?: readonly { id: string; reference: string }[],
): Promise<LedgerEntry[]> {
  const path = `/admin/accounts/${accountId}/sandbox/ledger`
  return sandboxEntries(await pages<SandboxEntry>(operate, path), deliveries)
}
