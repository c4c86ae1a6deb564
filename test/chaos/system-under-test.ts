import pg from 'pg'
import { openAccount, operatorOf, startClock } from '../harness/accounts.ts'
import { type CleanUps, owned } from '../harness/clean-ups.ts'
import { type Client, makeClient } from '../harness/client.ts'
import type { Crash } from '../harness/crash-postgres.ts'
import { queryAt } from '../harness/database.ts'
import { type Ask, asker, inTurn, signedIn } from '../harness/http.ts'
import type { Members } from '../harness/members.ts'
import type { Database } from '../harness/options.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'
import { ACCOUNTS, type AccountName } from './account.ts'
import { startDatabase } from './database.ts'
import { canaryOf } from './jobs.ts'
import { APIS, MEMBERS, type Member, startChaosMembers } from './members.ts'
import { type HookParty, startHookParty, startTextParty, type TextParty } from './parties.ts'
import type { Carriers, Profile } from './profile.ts'
import type { Wire } from './schedule.ts'
import { bugsOf, type SeededBugName } from './seeded-bugs.ts'
import type { SmallDisk } from './small-disk.ts'

/** The system under test: the service as shipped, and around it the parties that it cannot change. */
export type SystemUnderTest = Pick<Carriers, 'networks' | 'readLedger'> & {
  profile: Profile
  /** It is restarted. False: PostgreSQL was not running, or its server was given. */
  crashPostgres(kind: Crash): boolean
  /** Moves shards while the shop goes on. Throws if a node fails meanwhile, or if there are no shards. */
  rebalance(): Promise<void>
  members: Members<Member>
  proxyOf(wire: Wire): TcpProxy
  carrierProxies: readonly TcpProxy[]
  client: Client<AccountName>
  /** Read with retries. Their responses are checked as the client's are. */
  readers: Readonly<Record<AccountName, Ask>>
  /** Receivers of the same events. */
  receivers: readonly HookParty[]
  gateway: TextParty
  disk: SmallDisk | null
  /** Account time. Carriers have their own clocks, which move with it where the harness moves them. */
  clock: { nowMs(): number; forward(minutes: number, couriersToo?: boolean): Promise<void> }
  /** For observation only: bypasses the proxies. */
  db: pg.Pool
}

export async function startSystem(
  cleanUps: CleanUps,
  {
    profile,
    seededBugs,
    database,
  }: { profile: Profile; seededBugs: readonly SeededBugName[]; database: Database },
  chance: () => number,
): Promise<SystemUnderTest> {
  const bugs = bugsOf(seededBugs)
  const keep = <T extends { stop(): unknown }>(part: T): T => owned(cleanUps, part)
  const proxies = new Map<string, TcpProxy>()
  const addProxy = async (name: string, port: () => number, usualMs = 0): Promise<number> => {
    const proxy = keep(await startTcpProxy(port, usualMs))
    proxies.set(name, proxy)
    return proxy.port
  }
  const proxyOf = ({ to, of }: Wire): TcpProxy => {
    const found = proxies.get(`${to} ${of}`)
    if (!found) throw new Error(`There is no connection to ${to} ${of}.`)
    return found
  }
  const receivers: HookParty[] = []
  for (const troubles of profile.receivers) receivers.push(await startHookParty(cleanUps, troubles, chance))
  const gateway = await startTextParty(cleanUps, { refused: 0.5, cut: 0.5, acceptedAndCut: 0.5 }, chance)
  const settings = Object.assign({ max_connections: '200' }, ...bugs.map(({ settings }) => settings ?? {}))
  const postgres = await startDatabase(cleanUps, database, { settings, hasSmallDisk: profile.hasSmallDisk })
  const carriers = await profile.startCarriers(cleanUps, { url: postgres.url, secretKey: SECRET_KEY })
  for (const [name, url] of Object.entries(carriers.urls))
    await addProxy(`carrier ${name}`, () => Number(new URL(url).port), profile.carrierDelayMs)
  const urlOf = (of: string) => `http://127.0.0.1:${proxyOf({ to: 'carrier', of }).port}`

  for (const member of MEMBERS) await addProxy(`database ${member}`, () => Number(new URL(postgres.url).port))
  const databaseUrlOf = (member: Member): string => {
    const url = new URL(postgres.url)
    url.port = `${proxyOf({ to: 'database', of: member }).port}`
    return url.href
  }
  for (const api of APIS) await addProxy(`api ${api}`, () => members.portOf(api))
  const [first, second] = APIS.map((of) => `http://127.0.0.1:${proxyOf({ to: 'api', of }).port}`) as [
    string,
    string,
  ]
  const members: Members<Member> = keep(
    await startChaosMembers({
      databaseUrlOf,
      seededBugs,
      env: {
        DROVER_SECRET_KEY: SECRET_KEY,
        DROVER_OPERATOR_TOKEN: OPERATOR,
        DROVER_ALLOW_PRIVATE_WEBHOOKS: '1',
        PUBLIC_URL: first,
        SMS_URL: gateway.url,
        ...profile.envOf(urlOf),
      },
    }),
  )
  const db = new pg.Pool({ connectionString: postgres.url, max: 2, application_name: WATCH })
  db.on('error', () => {})
  cleanUps.after(() => db.end())

  const operate = operatorOf([first, second], OPERATOR)
  const asks = {} as Record<AccountName, Ask>
  for (const account of ACCOUNTS) {
    const credentials = await openAccount(operate, profile.accountDocument(account, urlOf), profile.secrets)
    asks[account] = signedIn(inTurn([first, second].map((api) => asker(`${api}/${account}`))), credentials)
  }
  await queryAt(postgres.url, ...bugs.flatMap(({ sql }) => sql ?? []))
  const clock = await startClock(operate, ACCOUNTS, Date.parse(profile.opensAt))
  const client = makeClient({ asks, canaryOf })
  for (const receiver of receivers) receiver.secret = await registerReceiver(client, receiver.url)
  await keepSetUp(db)
  await carriers.follow(second)

  return {
    ...{ profile, members, client, receivers, gateway, db, proxyOf, ...carriers },
    ...{ disk: postgres.disk, crashPostgres: postgres.crash, rebalance: () => postgres.rebalance('chaos') },
    carrierProxies: Object.keys(carriers.urls).map((of) => proxyOf({ to: 'carrier', of })),
    readers: { chaos: client.reader('chaos'), neighbour: client.reader('neighbour') },
    clock: {
      nowMs: clock.nowMs,
      async forward(minutes, couriersToo = false) {
        await clock.forward(minutes)
        if (!couriersToo) return
        // The harness does not wait for the carriers' webhooks.
        for (const network of Object.values(carriers.networks))
          network.control('POST', '/advance', { minutes }).catch(() => {})
      },
    },
  }
}

const OPERATOR = 'the operator of the chaos tests'
const SECRET_KEY = 'the key of all five processes, long enough'
/** The name of the harness's own connections to the database. */
export const WATCH = 'chaos watch'

/**
 * The set-up survives a crash whatever bugs are seeded: a commit that waits for the disk flushes all earlier ones.
 */
async function keepSetUp(db: pg.Pool): Promise<void> {
  await db.query(
    'begin; set local synchronous_commit = on; create table set_up (); drop table set_up; commit',
  )
}

/** Registers a receiver; returns the secret that signs its events. */
async function registerReceiver(client: Client<AccountName>, url: string): Promise<string> {
  const request = { account: 'chaos', body: { url } } as const
  const { answer } = await client.ask('read', 'POST /webhook-endpoints', request)
  return answer?.json.data.secret
}
