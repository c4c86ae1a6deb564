import type { Pool } from 'pg'
import type { App } from '../../src/bootstrap/composition-root.ts'

/** Changes each statement that a process sends from now on, by `corrupt`. Call it before the first connection. */
export function corruptStatements({ deps }: App, corrupt: (text: string) => string): void {
  deps.db.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply(query, self, [first, ...rest]) {
        const isText = typeof first === 'string'
        if (!isText && typeof first?.text === 'string') first.text = corrupt(first.text)
        return Reflect.apply(query, self, [isText ? corrupt(first) : first, ...rest])
      },
    })
  })
}

/** Runs after each statement with such a name, before the caller reads its rows. */
export function afterStatement(
  { deps }: App,
  name: RegExp,
  then: (rows: readonly Record<string, unknown>[]) => unknown,
): void {
  const query = deps.db.query.bind(deps.db) as (...args: unknown[]) => Promise<{
    rows: Record<string, unknown>[]
  }>
  deps.db.query = (async (...args: unknown[]) => {
    const result = await query(...args)
    if (name.test((args[0] as { name?: string }).name ?? '')) await then(result.rows)
    return result
  }) as Pool['query']
}
