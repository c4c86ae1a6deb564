import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { findCitus, listUndistributed } from '../store/db/distribute.ts'
import { good, wrong } from './finding.ts'

const DISTRIBUTE = 'Stop Drover, then run: drover migrate --distribute'

/** Checks that every table is distributed and that every Citus node reaches every other. Returns nothing on plain PostgreSQL. */
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
  if (left.length > 0)
    return [wrong('citus', `These tables are not distributed: ${left.join(', ')}.`, DISTRIBUTE)]
  const { rows } = await db.query<{ pair: string }>(
    `select from_nodename || ':' || from_nodeport || ' to ' || to_nodename || ':' || to_nodeport as pair
     from citus_check_cluster_node_health() where result is not true order by 1`,
  )
  return [
    rows.length === 0
      ? good(
          'citus',
          `Citus ${citus.version} with ${workers}: every table is distributed, every node answers.`,
        )
      : wrong(
          'citus',
          `These Citus nodes can’t connect: ${rows.map(({ pair }) => pair).join(', ')}.`,
          'Check that each node is running, then check pg_hba.conf and the network between the nodes.',
        ),
  ]
}
