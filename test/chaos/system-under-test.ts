import pg from 'pg'
import { migrate } from '../../src/store/db/migrate.ts'
import { openAccount, operatorOf, startClock } from '../harness/accounts.ts'
import { type CleanUps, owned } from '../harness/clean-ups.ts'
import { type Client, makeClient } from '../harness/client.ts'
import { queryAt } from '../harness/database.ts'
import { type Ask, asker, inTurn, signedIn } from '../harness/http.ts'
import type { Members } from '../harness/members.ts'
import {
  ledgersReader,
  NETWORKS,
  type NetworkName,
  type Networks,
  registerWebhooks,
  SECRETS,
  startNetworks,
} from '../harness/networks.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'
import { ACCOUNTS, type AccountName, accountDocument, OPENS_AT } from './account.ts'
import { canaryOf } from './jobs.ts'
import { APIS, MEMBERS, type Member, startChaosMembers } from './members.ts'
import { type HookParty, startHookParty, startTextParty, type TextParty } from './parties.ts'
import { type ChaosPostgres, startChaosPostgres } from './postgres.ts'
import type { Wire } from './schedule.ts'
import { bugsOf, type SeededBugName } from './seeded-bugs.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** The system under test: the service as shipped, and around it the parties that it cannot change. */
export type SystemUnderTest = {
  postgres: ChaosPostgres
  members: Members<Member>
  networks: Networks
  proxyOf(wire: Wire): TcpProxy
  client: Client<AccountName>
  /** Read with retries. Their responses are checked as the client's are. */
  readers: Readonly<Record<AccountName, Ask>>
  readLedgers: ReturnType<typeof ledgersReader>
  /** Two receivers of the same events; one of them is unreliable. */
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
  { seededBugs }: { seededBugs: readonly SeededBugName[] },
  chance: () => number,
): Promise<SystemUnderTest> {
  const bugs = bugsOf(seededBugs)
  const keep = <T extends { stop(): unknown }>(part: T): T => owned(cleanUps, part)
  const networks = await startNetworks(cleanUps, () => ['--at', OPENS_AT])
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
  for (const name of NETWORKS)
    await addProxy(`carrier ${name}`, () => Number(new URL(networks[name].url).port), CARRIER_MS)
  const receivers = [
    await startHookParty(cleanUps, { refused: 0, cut: 0, acceptedAndCut: 0 }, chance),
    await startHookParty(cleanUps, { refused: 1, cut: 0.5, acceptedAndCut: 0.5 }, chance),
  ]
  const gateway = await startTextParty(cleanUps, { refused: 0.5, cut: 0.5, acceptedAndCut: 0.5 }, chance)
  let disk: SmallDisk | null = null
  cleanUps.after(() => disk?.stop()) // After PostgreSQL, whose files are on this disk.
  const postgres = keep(
    await startChaosPostgres(cleanUps, Object.assign({}, ...bugs.map(({ settings }) => settings ?? {}))),
  )
  disk = await mountSmallDisk(postgres.url)
  await migrate(postgres.url)

  for (const member of MEMBERS) await addProxy(`database ${member}`, () => postgres.port)
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
        DROVER_SECRET_KEY: 'the key of all five processes, long enough',
        DROVER_OPERATOR_TOKEN: OPERATOR,
        DROVER_ALLOW_PRIVATE_WEBHOOKS: '1',
        PUBLIC_URL: first,
        SMS_URL: gateway.url,
      },
    }),
  )
  const db = new pg.Pool({ connectionString: postgres.url, max: 2, application_name: 'chaos watch' })
  db.on('error', () => {})
  cleanUps.after(() => db.end())

  const operate = operatorOf([first, second], OPERATOR)
  const urlOf = (name: NetworkName) => `http://127.0.0.1:${proxyOf({ to: 'carrier', of: name }).port}`
  const asks = {} as Record<AccountName, Ask>
  for (const account of ACCOUNTS) {
    const credentials = await openAccount(operate, accountDocument(account, urlOf), SECRETS)
    asks[account] = signedIn(inTurn([first, second].map((api) => asker(`${api}/${account}`))), credentials)
  }
  await queryAt(postgres.url, ...bugs.flatMap(({ sql }) => sql ?? []))
  const clock = await startClock(operate, ACCOUNTS, Date.parse(OPENS_AT))
  const client = makeClient({ asks, canaryOf })
  for (const receiver of receivers) receiver.secret = await registerReceiver(client, receiver.url)
  await keepSetUp(db)
  await registerWebhooks(networks, 'doordash', second, 'chaos')

  return {
    ...{ postgres, members, networks, client, receivers, gateway, disk, db, proxyOf },
    readers: { chaos: client.reader('chaos'), neighbour: client.reader('neighbour') },
    readLedgers: ledgersReader(networks),
    clock: {
      nowMs: clock.nowMs,
      async forward(minutes, couriersToo = false) {
        await clock.forward(minutes)
        if (!couriersToo) return
        // The harness does not wait for the carriers' webhooks.
        for (const name of NETWORKS) networks[name].control('POST', '/advance', { minutes }).catch(() => {})
      },
    },
  }
}

const OPERATOR = 'the operator of the chaos tests'
/** Delay each way: carriers are far, and a kill can only hit a call that takes some time. */
const CARRIER_MS = 200

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
