import type { TestContext } from 'node:test'
import type pg from 'pg'
import { emptyDatabase } from './database.ts'
import { exampleDocument } from './demo-account.ts'
import { TUESDAY_TEN_MS } from './fixture.ts'
import { openAccount, operatorOf, setClock } from './harness/accounts.ts'
import { asker, type Credentials, good, type Reply } from './harness/http.ts'
import { type Shipped, shipped } from './packaged-process.ts'
import { type SmsGateway, smsGateway } from './sms-gateway.ts'
import { until } from './wait-until.ts'
import { isGenuine, type Receiver, webhookReceiver } from './webhook-receiver.ts'

/**
 * `ask('POST /deliveries', body)` at one of the two: paths are the demo account's, or begin with `/admin` or `/l`.
 */
export type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export type TwoProcessFleet = {
  apis: readonly [Ask, Ask]
  workers: readonly [Shipped, Shipped]
  all: readonly Shipped[]
  db: pg.Pool
  sms: SmsGateway
  receiver: Receiver
  isGenuine(received: Receiver['received'][number]): boolean
  client: Credentials
  /** The same API with another client's token. */
  as(api: 0 | 1, token: string): Ask
}

const OPERATOR = 'the operator of four processes'
const STARTED = /"address":("http:[^"]+"|null).*"msg":"started"/

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
  const operate = operatorOf([bases[0]], OPERATOR)
  const client = await openAccount(operate, exampleDocument('demo-account'))
  await setClock(operate, 'demo', () => TUESDAY_TEN_MS)
  const body = { grant_type: 'client_credentials', ...client }
  const token = await until(async () => {
    const { json } = await asker(bases[1])('POST /demo/auth/token', { body })
    return json.access_token ?? null
  })
  const apis = [askAs(bases[0], token), askAs(bases[1], token)] as const
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
    as: (api, other) => askAs(bases[api], other),
  }
}

function askAs(base: string, bearer: string): Ask {
  const ask = asker(base)
  return (line, body, headers = {}) => {
    const path = line.split(' ')[1] ?? ''
    const token = path.startsWith('/admin') ? OPERATOR : bearer
    return ask(/^\/(admin|l)\//.test(path) ? line : line.replace(' ', ' /demo'), { body, token, headers })
  }
}
