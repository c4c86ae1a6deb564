import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { startCitusCluster } from '../harness/citus-cluster.ts'
import { type CleanUps, owned, temporaryHome } from '../harness/clean-ups.ts'
import { type Crash, crashPostgres } from '../harness/crash-postgres.ts'
import type { Database } from '../harness/options.ts'
import { migratedDatabase } from '../server-database.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** The migrated database of a run, and what can happen to it. */
export type ChaosDatabase = {
  url: string
  /** Crashes the server, which is then restarted. False: it was not running, or it was given. */
  crash(kind: Crash): boolean
  /** Citus adds a worker, or moves the account's shard. Throws if a node fails during the move, or if there are no shards. */
  rebalance(account: string): Promise<void>
  disk: SmallDisk | null
}

export async function startDatabase(
  cleanUps: CleanUps,
  database: Database,
  { settings, hasSmallDisk }: { settings: Readonly<Record<string, string>>; hasSmallDisk: boolean },
): Promise<ChaosDatabase> {
  switch (database.kind) {
    case 'citus':
      return { ...(await startCitusCluster(cleanUps, settings)), disk: null }
    case 'given': {
      const { url } = owned(cleanUps, await migratedDatabase(database.url))
      return { url, crash: () => false, rebalance: noShards, disk: null }
    }
    case 'embedded': {
      let disk: SmallDisk | null = null
      cleanUps.after(() => disk?.stop()) // After PostgreSQL, whose files are on this disk.
      const home = temporaryHome(cleanUps)
      // As shipped, with fsync on.
      const { url } = owned(cleanUps, await startEmbeddedPostgres({ home, log: () => {}, settings }))
      if (hasSmallDisk) disk = await mountSmallDisk(url)
      await migrate(url)
      return { url, crash: (kind) => crashPostgres(home, kind), rebalance: noShards, disk }
    }
  }
}

async function noShards(): Promise<void> {
  throw new Error('There are no shards to move. Use --database=citus.')
}
