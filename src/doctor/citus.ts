import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { findCitus, listUndistributed, listUndistributedFunctions } from '../store/db/distribute.ts'
import { good, wrong } from './finding.ts'

const DISTRIBUTE = 'Stop Drover, then run: drover migrate --distribute'

/**
 * Checks that every table and function is distributed, that every Citus node reaches every other, and that every worker
 * has shards. Returns nothing on plain PostgreSQL.
 */
export async function checkCitus(db: Pool): Promise<Finding[]> {
  const citus = await findCitus(db)
  if (!citus) return []
  const workers = citus.workers === 1 ? '1 worker' : `${citus.workers} workers`
  if (citus.workers === 0)
    return [
      wrong(
        'citus',
        `Citus ${citus.version} has no workers.`,
        "Add one. On the coordinator, run: select citus_add_node('<host>', <port>);",
      ),
    ]
  const left = (await listUndistributed(db)).map(({ name }) => name)
  if (left.includes('accounts'))
    return [wrong('citus', `Citus ${citus.version} with ${workers}: no table is distributed.`, DISTRIBUTE)]
  const { rows: pairs } = await db.query<{ pair: string }>(UNCONNECTED)
  const { rows: spread } = await db.query<{ shards: number; idle: string[] }>(SPREAD)
  const { shards = 0, idle = [] } = spread[0] ?? {}
  const functions = (await listUndistributedFunctions(db)).map(({ name }) => name)
  const complaints = [
    ...complaint(left, 'These tables are not distributed', DISTRIBUTE),
    ...complaint(functions, 'These functions are not distributed', 'Run: drover migrate --distribute'),
    ...complaint(
      pairs.map(({ pair }) => pair),
      'These Citus nodes can’t connect',
      'Check that each node is running, then check pg_hba.conf and the network between the nodes.',
    ),
    ...complaint(
      idle,
      'These workers have no shards',
      'On the coordinator, run: select citus_rebalance_start();',
    ),
  ]
  if (complaints.length > 0) return complaints
  return [
    good(
      'citus',
      `Citus ${citus.version} with ${workers}: every table is distributed into ${shards} shards, and every node can connect to every other.`,
    ),
  ]
}

function complaint(names: readonly string[], sentence: string, remedy: string): Finding[] {
  return names.length === 0 ? [] : [wrong('citus', `${sentence}: ${names.join(', ')}.`, remedy)]
}

const UNCONNECTED = `
  select from_nodename || ':' || from_nodeport || ' to ' || to_nodename || ':' || to_nodeport as pair
  from citus_check_cluster_node_health() where result is not true order by 1`

const SPREAD = `
  select (select count(*)::int from pg_dist_shard where logicalrelid = 'accounts'::regclass) as shards,
    array(
      select n.nodename || ':' || n.nodeport from pg_dist_node as n
      where n.noderole = 'primary' and n.isactive and n.shouldhaveshards
        and not exists (select from pg_dist_placement as p where p.groupid = n.groupid)
      order by 1) as idle`
