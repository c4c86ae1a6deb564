import type { Pool } from 'pg'
import type { Db } from './db.ts'
import { isDistributed } from './distribute.ts'

/**
 * On Citus a statement that locks, changes or walks rows of several accounts at once is refused, because the accounts
 * are on several servers. Such statements have a second form there, for one account or without order.
 */
export type Engine = 'postgresql' | 'citus'

/** A property, so that a proxy of a pool or connection has the engine too. */
const ENGINE = Symbol('engine')
type WithEngine = { [ENGINE]?: Engine }

/** The engine of a pool's database, which `findEngine` found. */
export function engineOf(db: Db): Engine {
  return (db as WithEngine)[ENGINE] ?? 'postgresql'
}

/** Finds the engine, once for each pool and before its first other statement: a connection has that of its pool. */
export async function findEngine(pool: Pool): Promise<Engine> {
  const engine = (await isDistributed(pool)) ? 'citus' : 'postgresql'
  setEngine(pool, engine)
  return engine
}

/** Citus' forms of statements are PostgreSQL too: tests run them on it. */
export function setEngine(pool: Pool, engine: Engine): void {
  const mark = (db: Db) => Object.assign(db, { [ENGINE]: engine })
  mark(pool)
  pool.on('acquire', mark)
}
