import type { TestContext } from 'node:test'
import type pg from 'pg'
import { emptyDatabase } from './database.ts'
import { OPERATOR, startCluster } from './harness/cluster.ts'
import { asker, good, type Ask as HttpAsk, type Reply } from './harness/http.ts'
import type { Shipped } from './packaged-process.ts'
import { type SmsGateway, smsGateway } from './sms-gateway.ts'
import { isGenuine, type Receiver, webhookReceiver } from './webhook-receiver.ts'

/**
 * `ask('POST /deliveries', body)` at one of the two: paths are the demo account's, or begin with `/admin` or `/l`.
 */
export type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export type TwoProcessCluster = {
  apis: readonly [Ask, Ask]
  workers: readonly [Shipped, Shipped]
  all: readonly Shipped[]
  db: pg.Pool
  sms: SmsGateway
  receiver: Receiver
  isGenuine(received: Receiver['received'][number]): boolean
  /** The same API with another client's token. */
  as(api: 0 | 1, token: string): Ask
}

/** Two `api` and two `worker` processes, started at the same moment on one empty PostgreSQL. */
export async function twoProcessCluster(t: TestContext): Promise<TwoProcessCluster> {
  const { url: databaseUrl, pool: db } = await emptyDatabase(t)
  const sms = await smsGateway(t)
  const receiver = await webhookReceiver(t)
  const env = { DROVER_ALLOW_PRIVATE_WEBHOOKS: '1', SMS_URL: sms.url }
  const { apis, addresses, processes: all } = await startCluster(t, databaseUrl, { workers: 2, env })
  const demo = [ofDemo(apis[0]), ofDemo(apis[1])] as const
  const { secret } = await good(demo[0]('POST /webhook-endpoints', { url: receiver.url }))
  return {
    ...{ apis: demo, all, db, sms, receiver },
    workers: all.slice(2) as [Shipped, Shipped],
    isGenuine: (received) => isGenuine(secret, received),
    as: (api, token) => ofDemo(asker(addresses[api], token)),
  }
}

function ofDemo(ask: HttpAsk): Ask {
  return (line, body, headers = {}) => {
    const operator = line.includes(' /admin/') ? { token: OPERATOR } : {}
    const path = / \/(admin|l)\//.test(line) ? line : line.replace(' ', ' /demo')
    return ask(path, { body, headers, ...operator })
  }
}
