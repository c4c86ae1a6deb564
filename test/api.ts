import type { TestContext } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import type { HttpDeps } from '../src/http/contract/deps.ts'
import { buildServer } from '../src/http/server/server.ts'
import { closeServer } from '../src/http/server/stop.ts'
import { assertConforms } from './assert-matches-openapi.ts'
import { type Fixture, type FixtureOptions, testFixture } from './fixture.ts'

export const OPERATOR = 'test-operator'

export type Reply = {
  status: number
  headers: Readonly<Record<string, string | number | string[] | undefined>>
  text: string
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test parses any response.
  json: any
}
export type Call = Omit<InjectOptions, 'method' | 'url'> & { body?: unknown; token?: string | null }

export type Api = {
  app: FastifyInstance
  fixture: Fixture
  /** `call('POST /demo/deliveries', { body })`: as the demo client, unless another token, or null, is given. */
  call(line: string, call?: Call): Promise<Reply>
  operator(line: string, call?: Call): Promise<Reply>
  tokenOf(clientId: string, clientSecret: string, scope?: string, accountId?: string): Promise<string>
}

/** The whole API on the demo accounts, with its own database. */
export async function testApi(t: TestContext, options: FixtureOptions = {}): Promise<Api> {
  const fixture = await testFixture(t, options)
  const app = apiOf(fixture)
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  return usedBy(app, fixture)
}

/** The API of another process on the same database. */
export function apiOf(
  fixture: Fixture,
  log = fixture.deps.log,
  more: Pick<HttpDeps, 'mapTiles'> = {},
): FastifyInstance {
  return buildServer({
    ...fixture.deps,
    ...more,
    log,
    operatorToken: OPERATOR,
    version: '0.0.0-test',
    registry: new Registry(),
    tracer: fixture.parts.tracer,
    readReplica: fixture.parts.readReplica,
    notReady: () => null,
  })
}

export async function usedBy(app: FastifyInstance, fixture: Fixture): Promise<Api> {
  const call: Api['call'] = async (line, { body, token, ...options } = {}) => {
    const [method, url] = line.split(' ') as ['GET', string]
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${token ?? demoToken}` }),
      ...options.headers,
    }
    const payload = body === undefined ? {} : { payload: body as object }
    const reply = await app.inject({ method, url, ...payload, ...options, headers })
    const isJson = String(reply.headers['content-type']).includes('json')
    const json = isJson && reply.body !== '' ? JSON.parse(reply.body) : null
    assertConforms(method, url, reply.statusCode, reply.headers, json)
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      bytes: reply.rawPayload,
      json,
    }
  }
  const tokenOf: Api['tokenOf'] = async (clientId, clientSecret, scope, accountId = 'demo') => {
    const body = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope && { scope }),
    }
    const { json } = await call(`POST /${accountId}/auth/token`, { body, token: null })
    return json.access_token
  }
  const demoToken = await tokenOf('demo-client', 'demo-secret')
  return {
    app,
    fixture,
    call,
    tokenOf,
    operator: (line, options) => call(line, { ...options, token: OPERATOR }),
  }
}

export const address = {
  address: '12 Drummond Street',
  city: 'Carlton',
  state: 'VIC',
  post_code: '3053',
  country: 'AU',
}
export const customer = {
  first_name: 'Ada',
  last_name: 'Nguyen',
  phone: '0491 570 156',
  email: 'ada@example.com',
}
export const parcel = {
  reference: 'P1',
  length_cm: 30,
  width_cm: 20,
  height_cm: 10,
  weight_kg: 2.5,
  quantity: 1,
}
export const lineItem = { code: 'KETTLE', name: 'Kettle', price_cents: 4995, quantity: 1 }

export const quoteBody = {
  store_reference: 'melbourne-cbd',
  address: { city: 'Carlton', state: 'VIC', post_code: '3053' },
  line_items: [lineItem],
  parcels: [parcel],
}

let made = 0
export function deliveryBody(over: object = {}): Record<string, unknown> {
  return {
    store_reference: 'melbourne-cbd',
    reference: `ORDER-${++made}`,
    ready_for_pickup_at: '2026-11-24T14:00:00+11:00',
    address,
    customer,
    parcels: [parcel],
    ...over,
  }
}
