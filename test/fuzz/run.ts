import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, inFlight, type Reply } from '../harness/http.ts'
import { seeded } from '../harness/random.ts'
import { seedAccount } from '../seed-account.ts'
import { type Case, makeCase, type Table } from './cases.ts'
import { mistakeOf } from './classify-failure.ts'
import { OPERATIONS } from './document.ts'
import { Pool } from './pool.ts'

export type FuzzOptions = {
  ask: Ask
  operator: string
  seed: number
  cases: number
  atOnce: number
  first?: number
  onProgress?(done: number): void
}

export type Counts = { sent: number; accepted: number; rejected: number; rateLimited: number }
export type Failure = { made: Case; mistake: string }
export type FuzzResult = { tallies: Map<string, Counts>; failures: Failure[]; unavailable: number }

/** Several clients send valid and invalid requests at once; each response is checked against OpenAPI. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { ask, seed, cases, atOnce, first = 0, onProgress } = options
  const table = await tableOf(options)
  const result: FuzzResult = {
    tallies: new Map(
      OPERATIONS.map(({ operationId }) => [
        operationId,
        { sent: 0, accepted: 0, rejected: 0, rateLimited: 0 },
      ]),
    ),
    failures: [],
    unavailable: 0,
  }
  const numbers = Array.from({ length: cases }, (_, index) => first + index)
  const work = async (number: number) => {
    const made = makeCase(seed, number, table)
    const reply = await sendCase(made).catch((error: Error) => error)
    if (reply instanceof Error) result.failures.push({ made, mistake: `no response: ${reply.message}` })
    else note(made, reply)
    onProgress?.(number + 1 - first)
  }
  const sendCase = async ({ method, url, headers, body }: Case): Promise<Reply> => {
    for (let tries = 1; ; tries++) {
      const reply = await ask(`${method} ${url}`, { headers, body })
      if (reply.status !== 503 || tries === TRIES) return reply
      result.unavailable++
      await sleep(200 * tries)
    }
  }
  const note = (made: Case, reply: Reply) => {
    const tally = result.tallies.get(made.operation.operationId) as Counts
    tally.sent++
    tally[reply.status === 429 ? 'rateLimited' : reply.status < 400 ? 'accepted' : 'rejected']++
    const mistake = mistakeOf(made, reply)
    if (mistake) result.failures.push({ made, mistake })
    if (reply.status < 300) table.pool.learn(reply.json, seeded(made.index))
  }
  await inFlight(numbers, atOnce, work)
  return result
}

/** A database that is busy for two seconds causes a 503, as documented; a retry gets the response. */
const TRIES = 8

/** Part of every text in the seeded resources. */
const WORD = 'fuzz'

const DEMO = { accountId: 'demo', clientId: 'demo-client', clientSecret: 'demo-secret' }
const ACME = { accountId: 'acme-byoc', clientId: 'acme-client', clientSecret: 'acme-secret' }

/** The accounts of the requests, each with one of every resource. */
async function tableOf({ ask, operator }: FuzzOptions): Promise<Table> {
  const ways: Record<string, Record<string, string>> = {}
  const bodies: Record<string, unknown> = {}
  const random = seeded(0)
  const pool = new Pool([ACME.clientId, DEMO.clientId, ACME.accountId, DEMO.accountId])
  for (const { accountId, clientId, clientSecret } of [DEMO, ACME]) {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const { json } = await ask(`POST /${accountId}/auth/token`, { token: null, body: form })
    ways[accountId] = { token: json.access_token, operator }
    if (accountId !== DEMO.accountId) continue
    const { things, linkSession, driverSession } = await seedAccount(ask, {
      ...{
        accountId,
        token: json.access_token,
        operator,
        store: 'fitzroy',
        word: 'fuzz',
        phone: '+61491570158',
      },
    })
    for (const [name, value] of Object.entries(things)) pool.add(name, value, random)
    ways[accountId] = { ...ways[accountId], driver: driverSession }
    bodies.verifyLink = { reference: `${WORD}-LINK` }
    bodies.getLabels = { delivery_ids: [things.delivery_id] }
    pool.add('job_id', things.driver_job, random)
    pool.add('link_session', linkSession, random)
    pool.learn((await ask('GET /demo/stores', { token: json.access_token })).json, random)
  }
  const document = await ask(`GET /admin/accounts/${ACME.accountId}`, { token: operator })
  pool.add('store_reference', 'melbourne-cbd', random)
  return { operations: OPERATIONS, ways, pool, bodies: { ...bodies, applyAccount: document.json.data } }
}
