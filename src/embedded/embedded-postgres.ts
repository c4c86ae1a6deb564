import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { fullDiskSentence } from './disk-space.ts'
import { lockHome } from './home-lock.ts'
import { choosePlace } from './place.ts'
import { supervise } from './supervise.ts'
import { postgresUser } from './user.ts'

export type EmbeddedPostgres = {
  /**
   * Where to connect: database `drover` as its owner `drover`, which may create databases and is not a
   * superuser.
   */
  url: string
  /** True when we adopted a PostgreSQL that a killed process had left running. */
  adopted: boolean
  /** Shuts the database down (fast mode) and releases the folder. Safe to call twice. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** The folder for everything; created if absent. */
  home: string
  log: (line: string) => void
  /** PostgreSQL settings that override ours, for tests. */
  settings?: Record<string, string>
  /** Called as soon as the server is starting: the caller can use the time until it answers. */
  begun?: () => void
}

/**
 * Starts the bundled PostgreSQL in `home`, or adopts one that a killed process left running there.
 *
 * It is restarted when it dies, and stopped when this process ends in any way except a kill. Throws a
 * sentence for people when the folder is in use, or there are no binaries for this machine.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    const disk = await fullDiskSentence(options.home)
    throw disk ? new Error(`${(error as Error).message}\n${disk}`, { cause: error }) : error
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const unlock = await lockHome(options.home)
  try {
    const user = postgresUser()
    const place = choosePlace(options.home, user, options.log)
    const binaries = findBinaries(options.home, user, options.log)
    const cluster = await ensureCluster({ place, binaries, user, log: options.log })
    const postgres = await supervise({
      home: options.home,
      place,
      binaries,
      user,
      dataFolder: cluster.dataFolder,
      logFile: join(place, 'postgres.log'),
      settings: options.settings ?? {},
      begun: options.begun ?? (() => {}),
      log: options.log,
    })
    return {
      url: `postgres://drover:${cluster.password}@127.0.0.1:${postgres.port}/drover`,
      adopted: postgres.adopted,
      stop: async () => {
        await postgres.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
