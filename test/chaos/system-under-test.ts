import pg from 'pg'
import { migrate } from '../../src/store/db/migrate.ts'
import { type Client, makeClient } from '../harness/client.ts'
import type { Members } from '../harness/members.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'
import { type AccountName, OPENS_AT, WEBHOOK_AUTHORIZATION } from './account.ts'
import { seedInDatabase, settingsOf } from './apply-seeded-bugs.ts'
import { canaryOf } from './jobs.ts'
import { APIS, MEMBERS, type Member, startChaosMembers } from './members.ts'
import { NETWORKS, type Network, startNetwork } from './networks.ts'
import { type HookParty, startHookParty, startTextParty, type TextParty } from './parties.ts'
import { type ChaosPostgres, startChaosPostgres } from './postgres.ts'
import type { Wire } from './schedule.ts'
import type { SeededBugName } from './seeded-bugs.ts'
import { accountClock, OPERATOR, operator, setUpAccounts } from './set-up.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** The system under test: the service as shipped, and around it the parties that it cannot change. */
export type SystemUnderTest = {
  postgres: ChaosPostgres
  members: Members<Member>
  networks: readonly Network[]
  proxyOf(wire: Wire): TcpProxy
  client: Client<AccountName>
  /** Two receivers of the same events; one of them is unreliable. */
  receivers: readonly HookParty[]
  gateway: TextParty
  disk: SmallDisk | null
  /** Account time. Carriers have their own clocks, which move with it where the harness moves them. */
  clock: { nowMs(): number; forward(minutes: number, couriersToo?: boolean): Promise<void> }
  /** For observation only: bypasses the proxies. */
  db: pg.Pool
  stop(): Promise<void>
}

export async function startSystem(
  { seededBugs }: { seededBugs: readonly SeededBugName[] },
  chance: () => number,
): Promise<SystemUnderTest> {
  const stops: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  // A run that is stopped by hand leaves no database, mount or process behind.
  const onSignal = (): void => void stop().finally(() => process.exit(130))
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, onSignal)
    stops.push(() => process.off(name, onSignal))
  }
  const owned = <T extends { stop(): unknown }>(part: T): T => {
    stops.push(() => part.stop())
    return part
  }
  try {
    const networks: Network[] = []
    for (const name of NETWORKS) networks.push(owned(await startNetwork(name, OPENS_AT)))
    const receivers = [
      owned(await startHookParty({ refused: 0, cut: 0, acceptedAndCut: 0 }, chance)),
      owned(await startHookParty({ refused: 1, cut: 0.5, acceptedAndCut: 0.5 }, chance)),
    ]
    const gateway = owned(await startTextParty({ refused: 0.5, cut: 0.5, acceptedAndCut: 0.5 }, chance))
    const postgres = owned(await startChaosPostgres(settingsOf(seededBugs)))
    const disk = await mountSmallDisk(postgres.url)
    if (disk) stops.splice(-1, 0, () => disk.stop()) // After PostgreSQL, whose files are on this disk.
    await migrate(postgres.url)

    const databases = new Map<Member, TcpProxy>()
    for (const member of MEMBERS) databases.set(member, owned(await startTcpProxy(() => postgres.port)))
    const databaseUrlOf = (member: Member): string => {
      const url = new URL(postgres.url)
      url.port = `${databases.get(member)?.port}`
      return url.href
    }
    const apis = new Map<(typeof APIS)[number], TcpProxy>()
    for (const api of APIS) apis.set(api, owned(await startTcpProxy(() => members.portOf(api))))
    const apiUrl = (api: (typeof APIS)[number]) => `http://127.0.0.1:${apis.get(api)?.port}`
    const members: Members<Member> = owned(
      await startChaosMembers({
        databaseUrlOf,
        seededBugs,
        env: {
          DROVER_SECRET_KEY: 'the key of all five processes, long enough',
          DROVER_OPERATOR_TOKEN: OPERATOR,
          DROVER_ALLOW_PRIVATE_WEBHOOKS: '1',
          DROVER_HOME: '/nonexistent',
          PUBLIC_URL: apiUrl('api-1'),
          SMS_URL: gateway.url,
        },
      }),
    )
    const db = new pg.Pool({ connectionString: postgres.url, max: 2, application_name: 'chaos watch' })
    db.on('error', () => {})
    stops.push(() => db.end())

    const operate = operator(APIS.map(apiUrl))
    const credentials = await setUpAccounts(
      operate,
      (name) => `http://127.0.0.1:${networks.find((network) => network.name === name)?.proxy.port}`,
    )
    await seedInDatabase(postgres.url, seededBugs)
    const clock = await accountClock(operate)
    const client = makeClient({ apis: APIS.map(apiUrl), credentials, canaryOf })
    for (const receiver of receivers) receiver.secret = await registerReceiver(client, receiver.url)
    await keepSetUp(db)
    const doordash = networks.find(({ name }) => name === 'doordash')
    await doordash?.control('POST', '/webhooks', {
      url: `${apiUrl('api-2')}/carriers/doordash/chaos/webhooks`,
      auth: { header: WEBHOOK_AUTHORIZATION },
    })

    return {
      postgres,
      members,
      networks,
      client,
      receivers,
      gateway,
      disk,
      db,
      stop,
      proxyOf({ to, of }) {
        const proxies = { database: databases, api: apis }
        const found =
          to === 'carrier'
            ? networks.find(({ name }) => name === of)?.proxy
            : (proxies[to] as ReadonlyMap<string, TcpProxy>).get(of)
        if (!found) throw new Error(`There is no connection to ${to} ${of}.`)
        return found
      },
      clock: {
        nowMs: clock.nowMs,
        async forward(minutes, couriersToo = false) {
          await clock.forward(minutes)
          if (!couriersToo) return
          // The harness does not wait for the carriers' webhooks.
          for (const network of networks) network.control('POST', '/advance', { minutes }).catch(() => {})
        },
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

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
  const { answer } = await client.ask({
    account: 'chaos',
    operation: 'read',
    reference: '',
    method: 'POST',
    path: '/webhook-endpoints',
    body: { url },
  })
  return answer?.body.data.secret
}
