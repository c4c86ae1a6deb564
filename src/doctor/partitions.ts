import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { defaultPartition, findPartitioned, listPartitions } from '../store/partitions/monthly-partitions.ts'
import { good, wrong } from './finding.ts'

/** Checks that the months ahead exist. Returns nothing if the tables are not partitioned. */
export async function checkPartitions(db: Pool, nowMs = Date.now()): Promise<Finding[]> {
  const tables = await findPartitioned(db)
  if (tables.length === 0) return []
  const late: string[] = []
  let untilMs = Number.POSITIVE_INFINITY
  for (const table of tables) {
    const ends = (await listPartitions(db, table)).map(({ toMs }) => toMs ?? 0)
    const lastMs = Math.max(...ends)
    untilMs = Math.min(untilMs, lastMs)
    if (lastMs <= nowMs) late.push(defaultPartition(table))
  }
  if (late.length > 0)
    return [
      wrong(
        'partitions',
        `This month has no partitions: new rows go to ${late.join(', ')}.`,
        'Start a worker (drover start, or drover worker): it creates this month’s partitions and moves the rows there. If one is running, its log says why that fails.',
      ),
    ]
  const until = new Date(untilMs).toISOString().slice(0, 10)
  return [
    good('partitions', `${tables.length} tables are partitioned by month; partitions exist until ${until}.`),
  ]
}
