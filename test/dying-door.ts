import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Door, doorOf, usedBy } from './door.ts'
import type { World } from './world.ts'

/** Another process of the world, which asks the database nothing more once this finds what is committed. */
export async function doorThatDiesAfter(
  t: { after(end: () => unknown): void },
  world: World,
  committed: string,
  what: string | number,
): Promise<Door> {
  const { db } = world.deps
  const alive = async (): Promise<void> => {
    const { rows } = await db.query(committed, [what])
    if (rows.length > 0) throw new Error('killed')
  }
  return usedBy(doorWith(t, world, alive), world)
}

/** Another process's door; `before` sees the name of each statement, and may throw. */
export function doorWith(
  t: { after(end: () => unknown): void },
  world: World,
  before: (statement: string) => unknown,
): FastifyInstance {
  const db = new Proxy(world.deps.db, {
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
  const app = doorOf({ ...world, deps: { ...world.deps, db } })
  t.after(() => app.close())
  return app
}
