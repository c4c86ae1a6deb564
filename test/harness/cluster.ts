import { exampleDocument } from '../demo-account.ts'
import { type Shipped, shipped } from '../packaged-process.ts'
import { until } from '../wait-until.ts'
import { NO_LIMITS, openAccount, operatorOf, setClock } from './accounts.ts'
import type { CleanUps } from './clean-ups.ts'
import { type Ask, asker, signedIn } from './http.ts'

/** `api` and `worker` processes as shipped, which share a database and nothing else, and the account `demo`. */
export type Cluster = {
  /** Two API processes, signed in as a client of the account. */
  apis: readonly [Ask, Ask]
  addresses: readonly [string, string]
  operate: Ask
  /** The API processes, then the workers. Nothing restarts them. */
  processes: readonly Shipped[]
  /** A sentence for each process that has ended. */
  ended: readonly string[]
  /** The log of all processes so far. */
  output(): string
}

export const SECRET_KEY = 'the key of all processes, long enough'
export const OPERATOR = 'the operator of a cluster under test'
/** A Tuesday: every store is open. */
const OPENS_AT = '2026-11-24T10:00:00+11:00'
const STARTED = /"address":(?:"(http:[^"]+)"|null).*"msg":"started"/

/** Starts two `api` processes and some workers at the same moment, on a database that may be empty. */
export async function startCluster(
  cleanUps: CleanUps,
  databaseUrl: string,
  { workers = 1, opensAt = OPENS_AT, env = {} }: { workers?: number; opensAt?: string; env?: object } = {},
): Promise<Cluster> {
  const settings = {
    DATABASE_URL: databaseUrl,
    DROVER_SECRET_KEY: SECRET_KEY,
    DROVER_OPERATOR_TOKEN: OPERATOR,
    DROVER_TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: 'http://drover.test',
    LOG_LEVEL: 'info',
    ...env,
  }
  const roles = ['api', 'api', ...Array.from({ length: workers }, () => 'worker')]
  const processes = await Promise.all(roles.map((role) => shipped(cleanUps, role, settings, STARTED)))
  const ended: string[] = []
  for (const [index, process] of processes.entries())
    process.ended.then(({ code, signal }) => ended.push(`${roles[index]} ended with ${signal ?? code}`))
  const addresses = processes.slice(0, 2).map(({ message }) => message)
  const operate = operatorOf(addresses, OPERATOR)
  const credentials = await openAccount(operate, { ...exampleDocument('demo-account'), limits: NO_LIMITS })
  await setClock(operate, 'demo', () => Date.parse(opensAt))
  const apis = addresses.map((address) => signedIn(asker(address), credentials, '/demo/auth/token'))
  // The other process reads a new account and a new client a moment later.
  await until(async () => (await Promise.all(apis.map(isKnown))).every(Boolean))
  return {
    apis: apis as [Ask, Ask],
    addresses: addresses as [string, string],
    ...{ operate, processes, ended },
    output: () => processes.map((process) => process.output()).join('\n'),
  }
}

function isKnown(api: Ask): Promise<boolean> {
  return api('GET /demo/stores').then(
    ({ status }) => status === 200,
    () => false,
  )
}
