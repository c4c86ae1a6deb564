import { until } from './until.ts'
import type { World } from './world.ts'

const SHOWN = 'select coalesce(max(tx) < pg_snapshot_xmin(pg_current_snapshot()), true) as shown from events'

/** Every event told so far is in the feed: it waits for the oldest transaction of the whole server, tests beside us too. */
export async function feedShown({ world: { deps } }: { world: Pick<World, 'deps'> }): Promise<void> {
  await until(
    async () => (await deps.db.query<{ shown: boolean }>(SHOWN)).rows[0]?.shown,
    'all is in the feed',
  )
}
