import type { PoolClient } from 'pg'
import { type Db, instant } from '../db/db.ts'

/** How often an account is swept once no further delivery is past its retention time. */
const EVERY = '1 hour'

/** At most `limit` accounts whose sweep is due. */
export async function listSweepsDue(db: Db, limit: number): Promise<string[]> {
  await db.query({
    name: 'begin-retention-sweeps',
    text: `insert into retention_sweeps (account_id)
      select account_id from accounts as a
      where not exists (select from retention_sweeps as s where s.account_id = a.account_id)
      on conflict do nothing`,
  })
  const { rows } = await db.query<{ account_id: string }>({
    name: 'list-retention-sweeps',
    text: `select account_id from retention_sweeps
      where swept_at is null or swept_at < now() - $1::interval order by swept_at nulls first limit $2`,
    values: [EVERY, limit],
  })
  return rows.map(({ account_id }) => account_id)
}

/**
 * Locks an account's sweep for this transaction and returns how far it has got, with the database's time. Null: another
 * process has it.
 */
export async function lockSweep(
  db: PoolClient,
  accountId: string,
): Promise<{ erasedTo: string; nowMs: number } | null> {
  const { rows } = await db.query<{ erased_to: string; now: number }>({
    name: 'hold-retention-sweep',
    text: 'select erased_to, now() as now from retention_sweeps where account_id = $1 for update skip locked',
    values: [accountId],
  })
  const row = rows[0]
  return row ? { erasedTo: row.erased_to, nowMs: row.now } : null
}

/** Deliveries after `erasedTo` that were created before the moment, oldest first, up to the first that was not. */
export async function listOver(
  db: PoolClient,
  accountId: string,
  { erasedTo, beforeMs, limit }: { erasedTo: string; beforeMs: number; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ delivery_id: string; over: boolean }>({
    name: 'list-deliveries-over',
    text: `select delivery_id, created_at < $3 as over from deliveries
      where account_id = $1 and delivery_id > $2 order by delivery_id limit $4`,
    values: [accountId, erasedTo, instant(beforeMs), limit],
  })
  const young = rows.findIndex(({ over }) => !over)
  return rows.slice(0, young === -1 ? rows.length : young).map(({ delivery_id }) => delivery_id)
}

/** Saves how far a sweep has got; `done`: no further delivery is past its retention time for now. */
export async function recordSweep(
  db: PoolClient,
  accountId: string,
  { erasedTo, done }: { erasedTo: string; done: boolean },
): Promise<void> {
  await db.query({
    name: 'note-retention-sweep',
    text: `update retention_sweeps set erased_to = $2, swept_at = now() + case when $3 then interval '0' end where account_id = $1`,
    values: [accountId, erasedTo, done],
  })
}

/** Postpones an account whose sweep failed, so that the other accounts are swept first. */
export async function postponeSweep(db: Db, accountId: string): Promise<void> {
  await db.query({
    name: 'postpone-retention-sweep',
    text: 'update retention_sweeps set swept_at = now() where account_id = $1',
    values: [accountId],
  })
}

/**
 * Tables whose rows expire by their own age, each with the key that sorts by time: the oldest rows are the account's
 * first.
 */
const KEYS = {
  messages: { key: 'message_id', at: 'created_at' },
  links: { key: 'link_id', at: 'created_at' },
  carrier_order_summaries: { key: 'manifest_id', at: 'stored_at' },
  sandbox_ledger: { key: 'entry', at: 'at' },
  audit_log: { key: 'audit_id', at: 'at' },
} as const
type Aged = keyof typeof KEYS

export const AGED = Object.keys(KEYS) as Aged[]

/** Deletes up to `batch` of an account's oldest rows from before the moment; returns their number. */
export async function purgeAged(
  db: Db,
  table: Aged,
  accountId: string,
  { beforeMs, batch }: { beforeMs: number; batch: number },
): Promise<number> {
  const { key, at } = KEYS[table]
  const { rowCount } = await db.query({
    name: `forget-aged-${table}`,
    text: `delete from ${table} as t using (
        select ${key}, ${at} from ${table} where account_id = $1 order by ${key} limit $3) as oldest
      where t.account_id = $1 and t.${key} = oldest.${key} and oldest.${at} < $2`,
    values: [accountId, instant(beforeMs), batch],
  })
  return rowCount ?? 0
}
