import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'

/**
 * How long a node is believed to have an account's shard. A moved shard is still found, by one more hop from the node
 * that had it.
 */
const BELIEVED_MS = 60_000
const MAX_ACCOUNTS = 50_000

const known = new WeakMap<Pool, LRUCache<string, number>>()

/** Groups things by the Citus node that has their account. They stay in order within a group. */
export async function groupByNode<T>(
  db: Pool,
  things: readonly T[],
  accountOf: (thing: T) => string,
): Promise<T[][]> {
  const nodes = nodesOf(db)
  const missing = [...new Set(things.map(accountOf))].filter((account) => !nodes.has(account))
  if (missing.length > 0) {
    const { rows } = await db.query<{ account_id: string; node: number }>({
      name: 'find-nodes-of-accounts',
      text: NODES_OF_ACCOUNTS,
      values: [missing],
    })
    for (const { account_id, node } of rows) nodes.set(account_id, node)
  }
  return [...Map.groupBy(things, (thing) => nodes.get(accountOf(thing))).values()]
}

/** Citus's own tables, which are on the coordinator: no account's rows are read. */
const NODES_OF_ACCOUNTS = `
  select given.account_id, (
    select groupid from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column('deliveries', given.account_id) limit 1) as node
  from unnest($1::text[]) as given(account_id)`

function nodesOf(db: Pool): LRUCache<string, number> {
  const found = known.get(db)
  if (found) return found
  const made = new LRUCache<string, number>({ max: MAX_ACCOUNTS, ttl: BELIEVED_MS })
  known.set(db, made)
  return made
}
