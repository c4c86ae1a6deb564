import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Api, apiOf, usedBy } from './api.ts'
import type { Fixture } from './fixture.ts'

/** Another process on the same database. It sends no more statements after the commit that this function finds. */
export async function apiThatCrashesAfter(
  t: { after(end: () => unknown): void },
  fixture: Fixture,
  committed: string,
  what: string | number,
): Promise<Api> {
  const { db } = fixture.deps
  const alive = async (): Promise<void> => {
    const { rows } = await db.query(committed, [what])
    if (rows.length > 0) throw new Error('killed')
  }
  return usedBy(apiWith(t, fixture, alive), fixture)
}

/** The API of another process; `before` receives the name of each statement, and may throw. */
export function apiWith(
  t: { after(end: () => unknown): void },
  fixture: Fixture,
  before: (statement: string) => unknown,
): FastifyInstance {
  const db = new Proxy(fixture.deps.db, {
    get(pool, name) {
      if (name === 'query') {
        return async (...args: [{ name?: string }]) => {
          await before(args[0].name ?? '')
          return pool.query(...(args as unknown as [string]))
        }
      }
      if (name === 'connect') return async () => Promise.resolve(before('connect')).then(() => pool.connect())
      const value = Reflect.get(pool, name)
      return typeof value === 'function' ? value.bind(pool) : value
    },
  }) as pg.Pool
  const app = apiOf({ ...fixture, deps: { ...fixture.deps, db } })
  t.after(() => app.close())
  return app
}
