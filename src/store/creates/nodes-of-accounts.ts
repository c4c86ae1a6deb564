import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { batched, type PendingCall } from '../db/batching.ts'

/** How long an account's node is cached. If its shard moves meanwhile, the node that runs the call forwards its rows. */
const NODE_TTL_MS = 60_000
const MAX_ACCOUNTS = 50_000

/** Finds the Citus node that has an account. It reads a cache first; concurrent look-ups share a statement. */
export function nodeFinder(db: Pool): (accountId: string) => Promise<number> {
  const cache = new LRUCache<string, number>({ max: MAX_ACCOUNTS, ttl: NODE_TTL_MS })
  const find = batched((calls: readonly PendingCall<string, number>[]) => findNodes(db, calls))
  return async (accountId) => {
    const cached = cache.get(accountId)
    if (cached !== undefined) return cached
    const node = await find(accountId)
    cache.set(accountId, node)
    return node
  }
}

async function findNodes(db: Pool, calls: readonly PendingCall<string, number>[]): Promise<void> {
  try {
    const { rows } = await db.query<{ account_id: string; node: number }>({
      name: 'find-nodes-of-accounts',
      text: NODES_OF_ACCOUNTS,
      values: [[...new Set(calls.map(({ given }) => given))]],
    })
    const nodes = new Map(rows.map(({ account_id, node }) => [account_id, node]))
    for (const { given, resolve } of calls) resolve(nodes.get(given) as number)
  } catch (error) {
    for (const { reject } of calls) reject(error)
  }
}

/** Reads only Citus's catalog on the coordinator, no rows of accounts. */
const NODES_OF_ACCOUNTS = `
  select given.account_id, (
    select groupid from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column('deliveries', given.account_id) limit 1) as node
  from unnest($1::text[]) as given(account_id)`
