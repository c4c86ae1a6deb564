import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { type CleanUps, temporaryHome } from '../harness/clean-ups.ts'
import { type Crash, crashPostgres } from '../harness/crash-postgres.ts'

export type ChaosPostgres = {
  /** The database's own address: only the harness connects without a proxy. */
  url: string
  port: number
  /** PostgreSQL's supervisor restarts it. False: PostgreSQL was not running. */
  crash(kind: Crash): boolean
  stop(): Promise<void>
}

/** A PostgreSQL cluster as shipped, with fsync on. `overrides` replace ours, for seeded bugs. */
export async function startChaosPostgres(
  cleanUps: CleanUps,
  overrides: Record<string, string>,
): Promise<ChaosPostgres> {
  const home = temporaryHome(cleanUps)
  const settings = { max_connections: '200', ...overrides }
  const { url, stop } = await startEmbeddedPostgres({ home, log: () => {}, settings })
  return { url, stop, port: Number(new URL(url).port), crash: (kind) => crashPostgres(home, kind) }
}
