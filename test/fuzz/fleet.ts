import pg from 'pg'
import { exampleDocument } from '../demo-account.ts'
import { NO_LIMITS, openAccount, setClock } from '../harness/accounts.ts'
import { type CleanUps, owned } from '../harness/clean-ups.ts'
import { startDatabase } from '../harness/database.ts'
import { type Ask, asker, signedIn } from '../harness/http.ts'
import { shipped } from '../packaged-process.ts'
import { until } from '../wait-until.ts'

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
/** A Tuesday: every store is open. */
export const OPENS_AT = '2026-11-24T10:00:00+11:00'

/** Two `api` processes and one `worker` as shipped, on their own PostgreSQL. */
export async function startFleet(cleanUps: CleanUps): Promise<SystemUnderTest> {
  const { url: databaseUrl } = owned(cleanUps, await startDatabase('drover_tried'))
  const env = {
    DATABASE_URL: databaseUrl,
    DROVER_SECRET_KEY: SECRET_KEY,
    DROVER_OPERATOR_TOKEN: OPERATOR,
    DROVER_TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: 'http://drover.test',
    LOG_LEVEL: 'info',
  }
  const start = (command: string) => shipped(cleanUps, command, env, STARTED)
  const all = await Promise.all([start('api'), start('api'), start('worker')])
  const addresses = all.slice(0, 2).map(({ message }) => JSON.parse(message) as string)
  const operate = asker(addresses[0] as string, OPERATOR)
  const document = { ...exampleDocument('demo-account'), limits: NO_LIMITS }
  const credentials = await openAccount(operate, document)
  await setClock(operate, 'demo', () => Date.parse(OPENS_AT))
  const apis = addresses.map((address) => signedIn(asker(address), credentials, '/demo/auth/token'))
  // The other process reads a new account and a new client a moment later.
  await until(async () => (await Promise.all(apis.map(isKnown))).every(Boolean))
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  cleanUps.after(() => db.end())
  return {
    apis: apis as [Ask, Ask],
    operator: OPERATOR,
    db,
    databaseUrl,
    output: () => all.map((one) => one.output()).join(''),
  }
}

function isKnown(api: Ask): Promise<boolean> {
  return api('GET /demo/stores').then(
    ({ status }) => status === 200,
    () => false,
  )
}
