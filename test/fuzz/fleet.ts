import pg from 'pg'
import { exampleDocument } from '../demo-account.ts'
import { NO_LIMITS, openAccount, operatorOf, setClock } from '../harness/accounts.ts'
import { type CleanUps, owned } from '../harness/clean-ups.ts'
import { startDatabase } from '../harness/database.ts'
import { type Ask, asker, signedIn } from '../harness/http.ts'
import { startMembers, startRole, untilUp } from '../harness/members.ts'
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
const MEMBERS = ['api-1', 'api-2', 'worker'] as const
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
  const start = (member: string, port: string) => startRole(member === 'worker' ? 'worker' : 'api', port, env)
  const options = { names: MEMBERS, start, outputKept: Number.POSITIVE_INFINITY }
  const members = owned(cleanUps, await startMembers(options))
  await untilUp(members, MEMBERS)
  const addresses = MEMBERS.slice(0, 2).map((api) => `http://127.0.0.1:${members.portOf(api)}`)
  const operate = operatorOf(addresses, OPERATOR)
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
    output: () => [...members.endedByThemselves, members.output()].join('\n'),
  }
}

function isKnown(api: Ask): Promise<boolean> {
  return api('GET /demo/stores').then(
    ({ status }) => status === 200,
    () => false,
  )
}
