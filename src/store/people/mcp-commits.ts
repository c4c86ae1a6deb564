import type { PoolClient } from 'pg'
import type { Db } from '../db/db.ts'
import { purgeExpired } from '../db/purge-expired.ts'

/** What a client commits through MCP; `deliveryId` null: a delivery that the commit makes. */
export type McpCommit = {
  accountId: string
  commitKey: string
  clientId: string
  /** In the account's time zone: `2026-11-24`. */
  day: string
  deliveryId: string | null
  cents: number
}

/** Until the transaction ends, the account's other commits wait here, so that each sees what the others have counted. */
export async function lockSpending(db: PoolClient, accountId: string): Promise<void> {
  await db.query({
    name: 'lock-mcp-spending',
    text: 'select from accounts where account_id = $1 for no key update',
    values: [accountId],
  })
}

/** False if this confirmation counts already. */
export async function insertMcpCommit(db: PoolClient, commit: McpCommit): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-mcp-commit',
    text: `insert into mcp_commits (account_id, commit_key, client_id, day, delivery_id, cents)
      values ($1, $2, $3, $4::date, $5, $6) on conflict do nothing`,
    values: toValues(commit),
  })
  return rowCount === 1
}

/**
 * The commit has ended with this delivery. Writes the row if another request for the same confirmation has deleted it
 * after a refusal.
 */
export async function settleMcpCommit(db: Db, commit: McpCommit): Promise<void> {
  await db.query({
    name: 'settle-mcp-commit',
    text: `insert into mcp_commits as c (account_id, commit_key, client_id, day, delivery_id, cents, is_settled)
      values ($1, $2, $3, $4::date, $5, $6, true)
      on conflict (account_id, commit_key) do update set is_settled = true, delivery_id = excluded.delivery_id
      where not c.is_settled`,
    values: toValues(commit),
  })
}

/** Deletes the row of a refused commit, so that it no longer counts. A settled row stays. */
export async function deleteMcpCommit(db: Db, accountId: string, commitKey: string): Promise<void> {
  await db.query({
    name: 'delete-mcp-commit',
    text: 'delete from mcp_commits where account_id = $1 and commit_key = $2 and not is_settled',
    values: [accountId, commitKey],
  })
}

/** `deliveryId` null: a delivery that does not exist yet. */
export type SpentOn = { clientId: string; deliveryId: string | null; cents: number }

/**
 * What each delivery counts for on the day, after all commits of a client for it. A delivery that is cancelled, or on
 * hold without a carrier, counts as zero; another counts its price as it is now. While a commit runs, the highest price
 * counts, because the booking may still become any of them. `clientId` null: of every client.
 */
export async function listSpentOn(
  db: Db,
  { accountId, day, clientId }: { accountId: string; day: string; clientId: string | null },
): Promise<SpentOn[]> {
  const { rows } = await db.query<SpentOn>({
    name: 'list-mcp-spending',
    text: `with committed as (
        select client_id, delivery_id, max(cents) as cents,
          bool_and(is_settled) as is_settled, bool_or(is_settled) as has_settled
        from mcp_commits where account_id = $1 and day = $2::date and ($3::text is null or client_id = $3)
        group by client_id, delivery_id, case when delivery_id is null then commit_key end)
      select c.client_id as "clientId", c.delivery_id as "deliveryId",
        case
          when not c.is_settled then
            greatest(c.cents, case when c.has_settled then (d.chosen->>'priceCents')::bigint end)
          when d.status = 'cancelled' or (d.status = 'on_hold' and d.pending_attempt is null) then 0
          else coalesce((d.chosen->>'priceCents')::bigint, c.cents)
        end as cents
      from committed as c
      left join deliveries as d on d.account_id = $1 and d.delivery_id = c.delivery_id`,
    values: [accountId, day, clientId],
  })
  return rows
}

/** Forgets commits whose day is long over, a batch at a time; returns how many. */
export async function purgeOldMcpCommits(db: Db): Promise<number> {
  return purgeExpired(db, 'mcp_commits', '31 days')
}

function toValues({ accountId, commitKey, clientId, day, deliveryId, cents }: McpCommit): unknown[] {
  return [accountId, commitKey, clientId, day, deliveryId, cents]
}
