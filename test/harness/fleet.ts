import { exampleDocument } from '../demo-account.ts'
import { until } from '../wait-until.ts'
import { NO_LIMITS, openAccount, operatorOf, setClock } from './accounts.ts'
import { type CleanUps, owned } from './clean-ups.ts'
import { type Ask, asker, signedIn } from './http.ts'
import { startMembers, startRole, untilUp } from './members.ts'

/** `api` and `worker` processes as shipped, which share a database and nothing else, and the account `demo`. */
export type Fleet = {
  /** Two API processes, signed in as a client of the account. */
  apis: readonly [Ask, Ask]
  operate: Ask
  /** The log of the processes so far, and those that ended by themselves. */
  output(): string
}

export const SECRET_KEY = 'the key of all processes, long enough'
export const OPERATOR = 'the operator of a fleet under test'
/** A Tuesday: every store is open. */
export const OPENS_AT = '2026-11-24T10:00:00+11:00'

/** Two `api` processes and some workers, on a database that is migrated. */
export async function startFleet(
  cleanUps: CleanUps,
  databaseUrl: string,
  { workers = 1, opensAt = OPENS_AT } = {},
): Promise<Fleet> {
  const env = {
    DATABASE_URL: databaseUrl,
    DROVER_SECRET_KEY: SECRET_KEY,
    DROVER_OPERATOR_TOKEN: OPERATOR,
    DROVER_TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: 'http://drover.test',
    LOG_LEVEL: 'info',
  }
  const names = ['api-1', 'api-2', ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`)]
  const start = (member: string, port: string) =>
    startRole(member.startsWith('api') ? 'api' : 'worker', port, env)
  const options = { names, start, outputKept: Number.POSITIVE_INFINITY }
  const members = owned(cleanUps, await startMembers(options))
  await untilUp(members, names)
  const addresses = names.slice(0, 2).map((api) => `http://127.0.0.1:${members.portOf(api)}`)
  const operate = operatorOf(addresses, OPERATOR)
  const credentials = await openAccount(operate, { ...exampleDocument('demo-account'), limits: NO_LIMITS })
  await setClock(operate, 'demo', () => Date.parse(opensAt))
  const apis = addresses.map((address) => signedIn(asker(address), credentials, '/demo/auth/token'))
  // The other process reads a new account and a new client a moment later.
  await until(async () => (await Promise.all(apis.map(isKnown))).every(Boolean))
  return {
    apis: apis as [Ask, Ask],
    operate,
    output: () => [...members.endedByThemselves, members.output()].join('\n'),
  }
}

function isKnown(api: Ask): Promise<boolean> {
  return api('GET /demo/stores').then(
    ({ status }) => status === 200,
    () => false,
  )
}
