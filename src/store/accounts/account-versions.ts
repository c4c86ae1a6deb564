import type { Pool } from 'pg'
import { instant } from '../db/db.ts'

/** Newest first. */
export async function listAccountVersionRows(
  db: Pool,
  accountId: string,
): Promise<{ version: number; appliedAtMs: number; appliedBy: string }[]> {
  const { rows } = await db.query<{ version: number; appliedAtMs: number; appliedBy: string }>(
    `select version, applied_at as "appliedAtMs", applied_by as "appliedBy"
     from account_versions where account_id = $1 order by version desc`,
    [accountId],
  )
  return rows
}

/** What was applied in a period, oldest first; by the account's clock as it stands now, where it has one of its own. */
export async function listVersionsApplied(
  db: Pool,
  accountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ version: number; appliedAtMs: number }[]> {
  const { rows } = await db.query<{ version: number; appliedAtMs: number }>(
    `select v.version, applied_at + clock_offset_ms * interval '1 millisecond' as "appliedAtMs"
     from account_versions as v join accounts using (account_id)
     where account_id = $1 and applied_at + clock_offset_ms * interval '1 millisecond' >= $2
       and applied_at + clock_offset_ms * interval '1 millisecond' < $3
     order by v.version`,
    [accountId, instant(fromMs), instant(toMs)],
  )
  return rows
}

/** When the account was made a live one for the last time, by the database's clock; null: it is none. */
export async function findLiveSince(db: Pool, accountId: string): Promise<number | null> {
  const { rows } = await db.query<{ sinceMs: number | null }>({
    name: 'find-live-since',
    text: `select min(applied_at) as "sinceMs" from account_versions
      where account_id = $1 and version > coalesce((
        select version from account_versions where account_id = $1 and document->>'mode' <> 'live'
        order by version desc limit 1), 0)`,
    values: [accountId],
  })
  return rows[0]?.sinceMs ?? null
}

/** A carrier from an account document, as JSON text, with the document's mode. */
export type RemovedCarrier = { carrier: string; mode: 'sandbox' | 'live' }

/** The carriers of versions before `version`, except `providers`, each from the last version that had it. */
export async function listRemovedCarriers(
  db: Pool,
  accountId: string,
  { version, providers }: { version: number; providers: readonly string[] },
): Promise<RemovedCarrier[]> {
  const { rows } = await db.query<RemovedCarrier>({
    name: 'list-removed-carriers',
    text: `with gone as (
        select distinct on (carrier->>'provider') version, carrier
        from account_versions
        cross join lateral json_array_elements(coalesce(carriers, document->'carriers')) as carrier
        where account_id = $1 and version < $2 and carrier->>'provider' <> all($3)
        order by carrier->>'provider', version desc)
      select gone.carrier::text, whole.document->>'mode' as mode
      from gone join account_versions as whole on whole.account_id = $1 and whole.version = gone.version`,
    values: [accountId, version, providers],
  })
  return rows
}
