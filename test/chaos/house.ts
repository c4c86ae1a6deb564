import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SCOPES } from '../../src/operations/caller.ts'
import { migrate } from '../../src/store/migrate.ts'
import {
  ACCOUNTS,
  type AccountName,
  accountDocument,
  OPENS_AT,
  SECRETS,
  WEBHOOK_AUTHORIZATION,
} from './account.ts'
import { type Client, makeClient } from './history.ts'
import { canaryOf } from './jobs.ts'
import { APIS, MEMBERS, type Member, type Members, startMembers } from './members.ts'
import { NETWORKS, type Network, startNetwork } from './networks.ts'
import { type HookParty, startHookParty, startTextParty, type TextParty } from './parties.ts'
import { type PlantName, plantInDatabase, settingsOf } from './plants.ts'
import { type ChaosPostgres, startChaosPostgres } from './postgres.ts'
import type { Wire } from './schedule.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** Everything of a run: the service as it is shipped in the middle, and around it what it cannot reach into. */
export type House = {
  postgres: ChaosPostgres
  members: Members
  networks: readonly Network[]
  proxyOf(wire: Wire): TcpProxy
  client: Client
  /** Two receivers of the same events; one of them is a bad one. */
  receivers: readonly HookParty[]
  gateway: TextParty
  disk: SmallDisk | null
  /** Account time. Couriers have clocks of their own, which go with it where they are told to. */
  clock: { nowMs(): number; forward(minutes: number, couriersToo?: boolean): Promise<void> }
  /** For watching and for nothing else: past the proxies. */
  db: pg.Pool
  stop(): Promise<void>
}

const OPERATOR = 'the operator of the chaos'
const CLIENT_PATIENCE_MS = 180_000
const TRIES_MS = 60_000

export async function startHouse(
  { plants }: { plants: readonly PlantName[] },
  chance: () => number,
): Promise<House> {
  const stops: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  const owned = <T extends { stop(): unknown }>(thing: T): T => {
    stops.push(() => thing.stop())
    return thing
  }
  try {
    const networks: Network[] = []
    for (const name of NETWORKS) networks.push(owned(await startNetwork(name, OPENS_AT)))
    const receivers = [
      owned(await startHookParty({ refused: 0, cut: 0, takenAndCut: 0 }, chance)),
      owned(await startHookParty({ refused: 1, cut: 0.5, takenAndCut: 0.5 }, chance)),
    ]
    const gateway = owned(await startTextParty({ refused: 0.5, cut: 0.5, takenAndCut: 0.5 }, chance))
    const postgres = owned(await startChaosPostgres(settingsOf(plants)))
    const disk = await mountSmallDisk(postgres.url)
    if (disk) stops.splice(-1, 0, () => disk.stop()) // After PostgreSQL, whose files are there.
    await migrate(postgres.url)

    const databases = new Map<Member, TcpProxy>()
    for (const member of MEMBERS) databases.set(member, owned(await startTcpProxy(() => postgres.port)))
    const databaseUrlOf = (member: Member): string => {
      const url = new URL(postgres.url)
      url.port = `${databases.get(member)?.port}`
      return url.href
    }
    const doors = new Map<(typeof APIS)[number], TcpProxy>()
    for (const api of APIS) doors.set(api, owned(await startTcpProxy(() => members.portOf(api))))
    const doorUrl = (api: (typeof APIS)[number]) => `http://127.0.0.1:${doors.get(api)?.port}`
    const members: Members = owned(
      await startMembers({
        databaseUrlOf,
        plants,
        env: {
          DROVER_SECRET_KEY: 'the key that all five of them know, long enough',
          DROVER_OPERATOR_TOKEN: OPERATOR,
          DROVER_ALLOW_PRIVATE_WEBHOOKS: '1',
          DROVER_HOME: '/nonexistent',
          PUBLIC_URL: doorUrl('api-1'),
          SMS_URL: gateway.url,
        },
      }),
    )
    const db = new pg.Pool({ connectionString: postgres.url, max: 2, application_name: 'chaos watch' })
    db.on('error', () => {})
    stops.push(() => db.end())

    const operate = operator(doorUrl)
    const urlOf = (name: string) =>
      `http://127.0.0.1:${networks.find((network) => network.name === name)?.proxy.port}`
    const credentials = {} as Record<AccountName, { client_id: string; client_secret: string }>
    for (const account of ACCOUNTS) {
      await operate('PUT', `/admin/accounts/${account}`, accountDocument(account, urlOf))
      for (const [name, secret] of Object.entries(SECRETS)) {
        await operate('PUT', `/admin/accounts/${account}/secrets/${name}`, { secret })
      }
      const made = await operate('POST', `/admin/accounts/${account}/clients`, {
        name: account,
        scopes: SCOPES,
      })
      credentials[account] = made as (typeof credentials)[AccountName]
    }
    await plantInDatabase(postgres.url, plants)
    const clock = await accountClock(operate)
    const client = makeClient({
      doors: APIS.map(doorUrl),
      credentials,
      canaryOf,
      patienceMs: CLIENT_PATIENCE_MS,
    })
    for (const receiver of receivers) {
      const { answer } = await client.ask({
        account: 'chaos',
        operation: 'read',
        reference: '',
        method: 'POST',
        path: '/webhook-endpoints',
        body: { url: receiver.url },
      })
      receiver.secret = answer?.body.data.secret
    }
    const doordash = networks.find(({ name }) => name === 'doordash')
    await doordash?.control('POST', '/webhooks', {
      url: `${doorUrl('api-2')}/carriers/doordash/chaos/webhooks`,
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
        const proxies = { database: databases, api: doors }
        const found =
          to === 'carrier'
            ? networks.find(({ name }) => name === of)?.proxy
            : (proxies[to] as ReadonlyMap<string, TcpProxy>).get(of)
        if (!found) throw new Error(`There is no wire to ${to} ${of}.`)
        return found
      },
      clock: {
        nowMs: clock.nowMs,
        async forward(minutes, couriersToo = false) {
          await clock.forward(minutes)
          if (!couriersToo) return
          // That they tell us of it is not waited for.
          for (const network of networks) network.control('POST', '/advance', { minutes }).catch(() => {})
        },
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Operate = (method: string, path: string, body: unknown) => Promise<unknown>

/** Asks whoever answers until it is done: what operators set may be set twice. */
function operator(doorUrl: (api: (typeof APIS)[number]) => string): Operate {
  return async (method, path, body) => {
    const endMs = performance.now() + TRIES_MS
    for (let turn = 0; ; turn += 1) {
      const door = doorUrl(APIS[turn % APIS.length] as (typeof APIS)[number])
      try {
        const response = await fetch(`${door}${path}`, {
          method,
          headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const text = await response.text()
        if (response.ok) return text === '' ? null : (JSON.parse(text).data ?? JSON.parse(text))
        if (response.status < 500 && response.status !== 404) throw new Refused(`${path}: ${text}`)
      } catch (error) {
        if (error instanceof Refused || performance.now() > endMs) throw error
      }
      await sleep(100)
    }
  }
}

class Refused extends Error {}

/** One time for both accounts: it runs, and is put forward. */
async function accountClock(operate: Operate): Promise<House['clock']> {
  let fromMs = 0
  let atMs = Date.parse(OPENS_AT)
  const nowMs = () => atMs + performance.now() - fromMs
  const set = async (ms: number): Promise<void> => {
    for (const account of ACCOUNTS) {
      await operate('PUT', `/admin/accounts/${account}/clock`, { now: new Date(ms).toISOString() })
    }
    atMs = ms
    fromMs = performance.now()
  }
  await set(atMs)
  return { nowMs, forward: (minutes) => set(nowMs() + minutes * 60_000) }
}
