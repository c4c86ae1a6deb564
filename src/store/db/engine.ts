import type { Pool } from 'pg'
import type { Db } from './db.ts'
import { isDistributed } from './distribute.ts'

/**
 * Citus refuses a statement that locks, changes or walks rows of several accounts at once, because the accounts are on
 * several servers. Such statements have a second form for Citus: for one account, or without an order.
 */
export type Engine = 'postgresql' | 'citus'

/** A property, so that a proxy of a pool or connection has the engine too. */
const ENGINE = Symbol('engine')
const CLUSTER = Symbol('cluster')
type WithEngine = { [ENGINE]?: Engine; [CLUSTER]?: boolean }

/** The engine that `findEngine` found for this pool or connection; PostgreSQL if it has not run. */
export function engineOf(db: Db): Engine {
  return (db as WithEngine)[ENGINE] ?? 'postgresql'
}

/** Whether accounts are on several servers. False where a test runs the forms for Citus on PostgreSQL. */
export function isCluster(db: Db): boolean {
  return (db as WithEngine)[CLUSTER] ?? false
}

/** Finds the engine once for each pool, before its first other statement. Connections have their pool's engine. */
export async function findEngine(pool: Pool): Promise<Engine> {
  const engine = (await isDistributed(pool)) ? 'citus' : 'postgresql'
  setEngine(pool, engine)
  Object.assign(pool, { [CLUSTER]: engine === 'citus' })
  return engine
}

/** Sets the engine of a pool. The forms for Citus are valid on PostgreSQL too, so tests run them there. */
export function setEngine(pool: Pool, engine: Engine): void {
  const mark = (db: Db) => Object.assign(db, { [ENGINE]: engine })
  mark(pool)
  pool.on('acquire', mark)
}
