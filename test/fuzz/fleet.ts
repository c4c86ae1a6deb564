import { readFileSync } from 'node:fs'
import pg from 'pg'
import { Agent, request } from 'undici'
import { parse } from 'yaml'
import { SCOPES } from '../../src/operations/directory/caller.ts'
import { startDatabase } from '../harness/database.ts'
import { shipped } from '../packaged-process.ts'
import { until } from '../wait-until.ts'

// biome-ignore lint/suspicious/noExplicitAny: any response is parsed.
export type Reply = { status: number; json: any; headers: Readonly<Record<string, unknown>> }
export type Call = { body?: unknown; token?: string | null; headers?: Record<string, string> }
/** `ask('POST /demo/deliveries', { body })`: as a client of the account, unless another token, or null, is given. */
export type Ask = (line: string, call?: Call) => Promise<Reply>

/** The target: two API processes of the same account, which share a database and nothing else. */
export type SystemUnderTest = {
  apis: readonly [Ask, Ask]
  operator: string
  db: pg.Pool
  databaseUrl: string
  /** The log of the processes so far; empty for processes that are not ours. */
  output(): string
}

export const SECRET_KEY = 'the key of all processes, long enough'
const OPERATOR = 'the operator of a fuzzed fleet'
const STARTED = /"address":("http:[^"]+"|null).*"msg":"started"/
const DEMO = new URL('../../examples/demo-account.yaml', import.meta.url)
/** A Tuesday: every store is open. */
export const OPENS_AT = '2026-11-24T10:00:00+11:00'
/** Rate limits are not under test here. */
const LIMITS = { requests_per_second: 10_000, burst: 10_000 }

/** Two `api` processes and one `worker` as shipped, on their own PostgreSQL. */
export async function startFleet(own: { after(end: () => unknown): void }): Promise<SystemUnderTest> {
  const { url: databaseUrl, stop } = await startDatabase('drover_tried')
  own.after(stop)
  const env = {
    DATABASE_URL: databaseUrl,
    DROVER_SECRET_KEY: SECRET_KEY,
    DROVER_OPERATOR_TOKEN: OPERATOR,
    DROVER_TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: 'http://drover.test',
    LOG_LEVEL: 'info',
  }
  const start = (command: string) => shipped(own, command, env, STARTED)
  const all = await Promise.all([start('api'), start('api'), start('worker')])
  const agent = new Agent({ connections: 64 })
  own.after(() => agent.close())
  const at = (index: 0 | 1, bearer: string) => asker(JSON.parse(all[index].message), bearer, agent)

  const operate = at(0, OPERATOR)
  const document = parse(readFileSync(DEMO, 'utf8'), { merge: true })
  await good(operate('PUT /admin/accounts/demo', { body: { ...document, limits: LIMITS } }))
  await good(operate('PUT /admin/accounts/demo/clock', { body: { now: OPENS_AT } }))
  const client = await good(
    operate('POST /admin/accounts/demo/clients', { body: { name: 'Tried', scopes: SCOPES } }),
  )
  const form = { grant_type: 'client_credentials', ...client }
  const token = await signedIn(at(1, ''), form)
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  own.after(() => db.end())
  return {
    apis: [at(0, token), at(1, token)],
    operator: OPERATOR,
    db,
    databaseUrl,
    output: () => all.map((one) => one.output()).join(''),
  }
}

/** The `data` of a 2xx. */
export async function good(sent: Promise<Reply>): Promise<Reply['json']> {
  const { status, json } = await sent
  if (status < 300) return json?.data ?? json
  throw new Error(`${status}: ${JSON.stringify(json)}`)
}

/** The other process reads a new account and a new client a moment later. */
function signedIn(ask: Ask, form: object): Promise<string> {
  return until(async () => {
    const { json } = await ask('POST /demo/auth/token', { body: form, token: null })
    return json.access_token ?? null
  })
}

function asker(base: string, bearer: string, dispatcher: Agent): Ask {
  return async (line, { body, token = bearer, headers = {} } = {}) => {
    const [method, path] = line.split(' ') as ['GET', string]
    const reply = await request(`${base}${path}`, {
      ...{ method, dispatcher },
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await reply.body.text()
    const isJson = String(reply.headers['content-type']).includes('json')
    return {
      status: reply.statusCode,
      json: isJson && text !== '' ? JSON.parse(text) : null,
      headers: reply.headers,
    }
  }
}
