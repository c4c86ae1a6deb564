import type { TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { closeServer } from '../../src/http/server/stop.ts'
import { makeLog } from '../../src/log.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { OPERATOR } from '../api.ts'
import { type Fixture, testFixture, WORLD_SECRET_KEY } from '../fixture.ts'
import type { Ask, SystemUnderTest } from './fleet.ts'

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
  t.after(() => other.stop())
  await other.start({ work: false })
  const form = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' }
  const open = async (deps: Deps): Promise<Ask> => {
    const ask = apiOf(t, deps)
    const { json } = await ask('POST /demo/auth/token', { body: form, token: null })
    return (line, call) => ask(line, { token: json.access_token, ...call })
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

function apiOf(t: TestContext, deps: Deps): Ask {
  const app = buildServer({
    ...deps,
    operatorToken: OPERATOR,
    version: '0.0.0-test',
    trustedProxies: ['127.0.0.1'],
    registry: new Registry(),
    notReady: () => null,
  })
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  return async (line, { body, token = null, headers = {} } = {}) => {
    const [method, url] = line.split(' ') as ['GET', string]
    const reply = await app.inject({
      ...{ method, url },
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(reply.headers['content-type']).includes('json')
    return {
      status: reply.statusCode,
      json: isJson && reply.body !== '' ? JSON.parse(reply.body) : null,
      headers: reply.headers,
    }
  }
}
