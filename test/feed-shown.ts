import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

const SHOWN = 'select coalesce(max(tx) < pg_snapshot_xmin(pg_current_snapshot()), true) as shown from events'

/** Every event told so far is in the feed: it waits for the oldest transaction of the whole server, tests beside us too. */
export async function feedShown({ world }: { world: Pick<World, 'deps'> }): Promise<void> {
  while (!(await world.deps.db.query<{ shown: boolean }>(SHOWN)).rows[0]?.shown) await sleep(20)
}
