import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { findPostmaster } from '../../src/embedded/postmaster.ts'
import { childrenOf, signal } from '../harness/children.ts'
import { type CleanUps, temporaryHome } from '../harness/clean-ups.ts'

/**
 * `kill`: every process at once, like a power cut. `backend`: one process, after which PostgreSQL restarts all.
 * `immediate`: SIGQUIT.
 */
export const CRASHES = ['kill', 'backend', 'immediate'] as const
export type Crash = (typeof CRASHES)[number]

export type ChaosPostgres = {
  /** The database's own address: only the harness connects without a proxy. */
  url: string
  port: number
  /** PostgreSQL's supervisor restarts it. False: PostgreSQL was not running. */
  crash(kind: Crash): boolean
  stop(): Promise<void>
}

/** A PostgreSQL cluster as shipped, with fsync on. `settings` override ours, for seeded bugs. */
export async function startChaosPostgres(
  cleanUps: CleanUps,
  settings: Record<string, string>,
): Promise<ChaosPostgres> {
  const home = temporaryHome(cleanUps)
  const postgres = await startEmbeddedPostgres({
    home,
    log: () => {},
    settings: { max_connections: '200', ...settings },
  })
  const folder = join(realpathSync(join(home, 'postgres')), 'data')
  return {
    url: postgres.url,
    port: Number(new URL(postgres.url).port),
    crash(kind) {
      const postmaster = findPostmaster(folder)
      if (postmaster?.status !== 'ready') return false
      const children = childrenOf(postmaster.pid)
      const victims = { kill: [postmaster.pid, ...children], backend: children.slice(-1), immediate: [] }[
        kind
      ]
      for (const pid of victims) signal(pid, 'SIGKILL')
      if (kind === 'immediate') signal(postmaster.pid, 'SIGQUIT')
      return true
    },
    stop: postgres.stop,
  }
}
