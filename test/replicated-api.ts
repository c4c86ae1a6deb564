import type { TestContext } from 'node:test'
import { migrate } from '../src/store/db/migrate.ts'
import { type Api, testApi } from './api.ts'
import type { FixtureOptions } from './fixture.ts'
import { type ReplicatedDatabase, startReplicatedDatabase } from './harness/replicated-database.ts'

/**
 * The API on a primary and its standby. Hooks run in the order of their registration, so the servers'
 * comes last: the API closes its connections before they stop.
 */
export async function replicatedApi(
  t: TestContext,
  options: (database: ReplicatedDatabase) => FixtureOptions,
): Promise<{ api: Api; database: ReplicatedDatabase }> {
  const ends: (() => unknown)[] = []
  try {
    const database = await startReplicatedDatabase({ after: (end) => ends.push(end) }, SETTINGS)
    await migrate(database.bothUrl)
    return { api: await testApi(t, options(database)), database }
  } finally {
    t.after(async () => {
      for (const end of ends.reverse()) await end()
    })
  }
}

const SETTINGS = { max_connections: '50', shared_buffers: '32MB' }
