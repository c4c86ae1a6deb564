import { type Db, instant } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'

/** A carrier that does not answer; instants are account time. */
export type CarrierOutage = {
  accountId: string
  provider: string
  startedAtMs: number
  /** When the recall of its uncollected deliveries began; null: not recalled. */
  recallStartedAtMs: number | null
  fence: number
}

const COLUMNS = `o.account_id as "accountId", o.provider, o.started_at as "startedAtMs",
  o.recall_started_at as "recallStartedAtMs", o.fence`

/** Keeps that a carrier does not answer, since the first time that any process found it so. */
export async function openOutage(
  db: Db,
  { accountId, provider }: Pick<CarrierOutage, 'accountId' | 'provider'>,
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Promise<void> {
  await db.query(
    `insert into carrier_outages (account_id, provider, started_at, due_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [accountId, provider, instant(nowMs), instant(dueAtMs)],
  )
}

export async function listOutages(db: Db, accountId: string): Promise<CarrierOutage[]> {
  const { rows } = await db.query<CarrierOutage>({
    name: 'list-outages',
    text: `select ${COLUMNS} from carrier_outages as o where account_id = $1`,
    values: [accountId],
  })
  return rows
}

/** Claims outages whose carriers are to be asked again. */
export const claimDueOutages = makeClaimer<CarrierOutage>({
  name: 'claim-due-outages',
  table: 'carrier_outages',
  as: 'o',
  key: ['provider'],
  columns: COLUMNS,
  acrossAccounts: true,
  notQuarantined: true,
  claimsNotCounted: true,
})

/** It answers again. */
export async function endOutage(db: Db, outage: CarrierOutage): Promise<void> {
  await db.query({
    name: 'end-outage',
    text: 'delete from carrier_outages where account_id = $1 and provider = $2 and fence = $3',
    values: [outage.accountId, outage.provider, outage.fence],
  })
}

/** It does not yet: it is asked again at `dueAtMs`. False: another process has taken over. */
export async function prolongOutage(
  db: Db,
  outage: CarrierOutage,
  { dueAtMs, recallStartedAtMs }: { dueAtMs: number; recallStartedAtMs: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'prolong-outage',
    text: `update carrier_outages set due_at = $4, recall_started_at = $5, lease_until = null
      where account_id = $1 and provider = $2 and fence = $3`,
    values: [
      outage.accountId,
      outage.provider,
      outage.fence,
      instant(dueAtMs),
      recallStartedAtMs === null ? null : instant(recallStartedAtMs),
    ],
  })
  return rowCount === 1
}
