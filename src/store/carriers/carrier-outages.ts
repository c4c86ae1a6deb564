import { type Db, instant } from '../db/db.ts'
import type { AccountNows } from '../leases/poison-row-quarantine.ts'

/** A carrier that does not answer; instants are account time. */
export type CarrierOutage = {
  accountId: string
  provider: string
  darkSinceMs: number
  /** When what it had not collected was asked back; null: it was not. */
  askedBackAtMs: number | null
  fence: number
}

const COLUMNS = `o.account_id as "accountId", o.provider, o.dark_since as "darkSinceMs",
  o.asked_back_at as "askedBackAtMs", o.fence`

/** Keeps that a carrier does not answer, since the first time that any process found it so. */
export async function openOutage(
  db: Db,
  { accountId, provider }: Pick<CarrierOutage, 'accountId' | 'provider'>,
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Promise<void> {
  await db.query(
    `insert into carrier_outages (account_id, provider, dark_since, due_at) values ($1, $2, $3, $4)
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

/** Claims up to `limit` outages whose carriers are to be asked again, for `leaseMs` of wall time. */
export async function claimDueOutages(
  db: Db,
  { accountIds, nowsMs }: AccountNows,
  limit: number,
  leaseMs: number,
): Promise<CarrierOutage[]> {
  const { rows } = await db.query<CarrierOutage>({
    name: 'claim-due-outages',
    text: `with due as (
        select o.account_id, o.provider from carrier_outages as o
        join unnest($1::text[], $2::timestamptz[]) as a(account_id, now) using (account_id)
        where o.due_at <= a.now and (o.lease_until is null or o.lease_until < now())
        order by o.due_at limit $3 for update of o skip locked)
      update carrier_outages as o set lease_until = now() + $4 * interval '1 millisecond', fence = fence + 1
      from due where o.account_id = due.account_id and o.provider = due.provider
      returning ${COLUMNS}`,
    values: [accountIds, nowsMs.map(instant), limit, leaseMs],
  })
  return rows
}

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
  { dueAtMs, askedBackAtMs }: { dueAtMs: number; askedBackAtMs: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'prolong-outage',
    text: `update carrier_outages set due_at = $4, asked_back_at = $5, lease_until = null
      where account_id = $1 and provider = $2 and fence = $3`,
    values: [
      outage.accountId,
      outage.provider,
      outage.fence,
      instant(dueAtMs),
      askedBackAtMs === null ? null : instant(askedBackAtMs),
    ],
  })
  return rowCount === 1
}
