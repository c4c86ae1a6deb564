import { readFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import type pg from 'pg'
import { parse } from 'yaml'
import { SCOPES } from '../src/operations/directory/caller.ts'
import { emptyDatabase } from './database.ts'
import { TUESDAY_TEN_MS } from './fixture.ts'
import { type Shipped, shipped } from './packaged-process.ts'
import { type SmsGateway, smsGateway } from './sms-gateway.ts'
import { until } from './wait-until.ts'
import { isGenuine, type Receiver, webhookReceiver } from './webhook-receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test parses any response.
export type Answer = { status: number; json: any }
/**
 * `ask('POST /deliveries', body)` at one of the two: paths are the demo account's, or begin with `/admin` or `/l`.
 */
export type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export type TwoProcessFleet = {
  apis: readonly [Ask, Ask]
  workers: readonly [Shipped, Shipped]
  all: readonly Shipped[]
  db: pg.Pool
  sms: SmsGateway
  receiver: Receiver
  isGenuine(received: Receiver['received'][number]): boolean
  client: { client_id: string; client_secret: string }
  /** The same API with another client's token. */
  as(api: 0 | 1, token: string): Ask
}

const OPERATOR = 'the operator of four processes'
const STARTED = /"address":("http:[^"]+"|null).*"msg":"started"/
const DEMO = new URL('../examples/demo-account.yaml', import.meta.url)

/** Two `api` and two `worker` processes, started at the same moment on one empty PostgreSQL. */
export async function twoProcessFleet(t: TestContext): Promise<TwoProcessFleet> {
  const { url: databaseUrl, pool: db } = await emptyDatabase(t)
  const sms = await smsGateway(t)
  const receiver = await webhookReceiver(t)
  const env = {
    DATABASE_URL: databaseUrl,
    DROVER_SECRET_KEY: 'the key of all four processes, long enough',
    DROVER_OPERATOR_TOKEN: OPERATOR,
    DROVER_ALLOW_PRIVATE_WEBHOOKS: '1',
    PUBLIC_URL: 'http://drover.test',
    SMS_URL: sms.url,
    LOG_LEVEL: 'info',
  }
  const start = (command: string) => shipped(t, command, env, STARTED)
  const all = await Promise.all([start('api'), start('api'), start('worker'), start('worker')])
  const bases = [JSON.parse(all[0].message), JSON.parse(all[1].message)] as const
  const operator = asker(bases[0], OPERATOR)

  const { tenant_id, ...document } = parse(await readFile(DEMO, 'utf8'), { merge: true })
  await good(operator('PUT /admin/accounts/demo', { tenant_id, ...document }))
  await good(operator('PUT /admin/accounts/demo/clock', { now: new Date(TUESDAY_TEN_MS).toISOString() }))
  const client = await good(operator('POST /admin/accounts/demo/clients', { name: 'Shop', scopes: SCOPES }))
  const token = await until(async () => {
    const { json } = await asker(bases[1], '')('POST /auth/token', {
      grant_type: 'client_credentials',
      ...client,
    })
    return json.access_token ?? null
  })
  const apis = [asker(bases[0], token), asker(bases[1], token)] as const
  const { secret } = await good(apis[0]('POST /webhook-endpoints', { url: receiver.url }))
  return {
    apis,
    workers: [all[2], all[3]],
    all,
    db,
    sms,
    receiver,
    isGenuine: (received) => isGenuine(secret, received),
    client,
    as: (api, other) => asker(bases[api], other),
  }

  function asker(base: string, bearer: string): Ask {
    return async (line, body, headers = {}) => {
      const [method = '', path = ''] = line.split(' ')
      const own = /^\/(admin|l)\//.test(path)
      const response = await fetch(`${base}${own ? '' : '/demo'}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${path.startsWith('/admin') ? OPERATOR : bearer}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, json: text === '' ? null : JSON.parse(text) }
    }
  }
}

/** The `data` of a 2xx. */
export async function good(answer: Promise<Answer>): Promise<Answer['json']> {
  const { status, json } = await answer
  if (status < 300) return json?.data ?? json
  throw new Error(`${status}: ${JSON.stringify(json)}`)
}
