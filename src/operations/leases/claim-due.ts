import type { AccountNows, QuarantineSlots } from '../../store/leases/poison-row-quarantine.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'

/** Claims without a settled result after which a row is taken out of the queue for a person to see. */
export const MAX_CLAIMS = 8

/** A claimed row, and this process's monotonic clock just before it was claimed. */
export type Leased<Row> = { row: Row; claimedAtMs: number }

/** Leases up to `limit` due rows of all accounts, of suspects as `suspects` has places, to this process, each account by its own clock. */
export async function claimDue<Row>(
  deps: Deps,
  { limit, suspects }: { limit: number; suspects: QuarantineSlots },
  claim: (
    db: Deps['db'],
    nows: AccountNows,
    limit: number,
    leaseMs: number,
    suspects: QuarantineSlots,
  ) => Promise<Row[]>,
): Promise<Leased<Row>[]> {
  const nows = accountNows(deps)
  if (nows.accountIds.length === 0) return []
  const claimedAtMs = performance.now()
  const rows = await claim(deps.db, nows, limit, deps.leaseMs, suspects)
  return rows.map((row) => ({ row, claimedAtMs }))
}

/**
 * Every account, or those of a kind, and its clock. A claim that is full with the rows of the first ones leaves the
 * rest out, so those stand first of whom this process has least of the kind in hand: who has little due waits for the
 * next claim at most, however much others have. Among equals it is by lot.
 */
export function accountNows(
  { accounts, inHand }: Pick<Deps, 'accounts' | 'inHand'>,
  isMeant: (entry: AccountEntry) => boolean = () => true,
): AccountNows {
  const drawn = accounts
    .list()
    .filter(isMeant)
    .map((entry) => ({ entry, inHand: inHand.of(entry.account.id), lot: Math.random() }))
    .sort((a, b) => a.inHand - b.inHand || a.lot - b.lot)
  return {
    accountIds: drawn.map(({ entry }) => entry.account.id),
    nowsMs: drawn.map(({ entry }) => entry.nowMs()),
  }
}
