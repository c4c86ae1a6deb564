import type { TestContext } from 'node:test'
import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { makeLog } from '../../src/log.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { OPERATOR } from '../api.ts'
import { type Fixture, testFixture, WORLD_SECRET_KEY } from '../fixture.ts'
import { owned } from '../harness/clean-ups.ts'
import { type Ask, asker, signedIn } from '../harness/http.ts'
import { serveApi } from '../harness/serve-api.ts'
import type { SystemUnderTest } from './system-under-test.ts'

/** The same target for a test: two APIs in this process, with separate deps, on one database. */
export async function inProcessSystem(
  t: TestContext,
  options: { work?: boolean } = {},
): Promise<{ system: SystemUnderTest; fixture: Fixture }> {
  const fixture = await testFixture(t, options)
  const other = composeApp({
    config: { secretKey: WORLD_SECRET_KEY, publicUrl: 'http://drover.test' },
    databaseUrl: fixture.databaseUrl,
    name: 'test, second API',
    log: makeLog('silent'),
  })
  owned(t, other)
  await other.start({ work: false })
  const open = async (deps: Deps): Promise<Ask> => {
    const { url } = owned(t, await serveApi(deps, OPERATOR))
    return signedIn(asker(url), CLIENT, '/demo/auth/token')
  }
  return {
    fixture,
    system: {
      apis: [await open(fixture.deps), await open(other.deps)],
      operator: OPERATOR,
      db: fixture.deps.db,
      databaseUrl: fixture.databaseUrl,
      output: () => '',
    },
  }
}

const CLIENT = { client_id: 'demo-client', client_secret: 'demo-secret' }
