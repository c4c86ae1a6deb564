import { setTimeout as sleep } from 'node:timers/promises'
import type { Carrier } from '../../src/carriers/port/carrier.ts'
import { ADAPTERS } from '../../src/carriers/registry.ts'
import { outbound } from '../../src/carriers/wire/http-send.ts'
import { AUSPOST_SETTINGS, accountDocument, OPENS_AT, STORE, TYPE_OF } from '../../test/chaos/account.ts'
import { openAccount, operatorOf, setClock } from '../../test/harness/accounts.ts'
import { type CleanUps, owned } from '../../test/harness/clean-ups.ts'
import { OPERATOR, SECRET_KEY } from '../../test/harness/cluster.ts'
import { type Ask, asker, type Credentials, signedIn, under } from '../../test/harness/http.ts'
import type { LedgerEntry } from '../../test/harness/ledger.ts'
import {
  carrierDocument,
  ledgersReader,
  NETWORKS,
  type NetworkName,
  type Networks,
  SECRETS,
  startNetworks,
  toEvidence,
} from '../../test/harness/networks.ts'
import { orderOf } from '../../test/harness/orders.ts'
import { type Shipped, shipped } from '../../test/packaged-process.ts'
import { runProgram } from '../../test/program.ts'

const STARTED = /"address":(?:"(http:[^"]+)"|null).*"msg":"started"/
const ACCOUNT = 'chaos'
const SHOPPERS = 6
/** The pause between two creates of one shopper: a carrier accepts 300 requests a minute. */
const THINK_MS = 800
const MINUTE_MS = 60_000

/** `api` and `worker` processes as shipped; the carriers and the account's client outlast them. */
export type Installation = {
  /** Calls the account's API at the `api` process that was started last. */
  account: Ask
  startApi(): Promise<void>
  startWorkers(): Promise<readonly Shipped[]>
  /** Ends all processes. */
  stop(): Promise<void>
  /** Runs `drover after-restore`; returns how many deliveries it makes the workers look up. */
  afterRestore(moment: string): Promise<number>
  /** The carriers' own record of bookings and cancellations. */
  readLedgers(): Promise<readonly LedgerEntry[]>
  /** Cancels a booking at the carrier, as a person does in its portal. */
  cancelAtCarrier(entry: LedgerEntry): Promise<void>
}

export async function installOn(cleanUps: CleanUps, databaseUrl: string): Promise<Installation> {
  const networks = await startNetworks(cleanUps, () => ['--at', OPENS_AT])
  const readNetworks = ledgersReader(networks)
  const env = {
    ...{ DATABASE_URL: databaseUrl, DROVER_SECRET_KEY: SECRET_KEY, DROVER_OPERATOR_TOKEN: OPERATOR },
    ...{ DROVER_TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://drover.test', LOG_LEVEL: 'info' },
  }
  let running: Shipped[] = []
  let credentials: Credentials | null = null
  let current: Ask | null = null
  const start = async (role: string): Promise<Shipped> => {
    const process = await shipped(cleanUps, role, env, STARTED)
    running.push(process)
    return process
  }
  const portalOf = portals(cleanUps, networks)
  return {
    account: (line, call) => {
      if (!current) throw new Error('No api process runs.')
      return current(line, call)
    },
    async startApi() {
      const { message: address } = await start('api')
      if (!credentials) {
        const operate = operatorOf([address], OPERATOR)
        const document = accountDocument(ACCOUNT, (name) => networks[name].url)
        credentials = await openAccount(operate, document, SECRETS)
        await setClock(operate, ACCOUNT, () => Date.parse(OPENS_AT))
      }
      current = under(`/${ACCOUNT}`, signedIn(asker(address), credentials, `/${ACCOUNT}/auth/token`))
    },
    startWorkers: () => Promise.all([start('worker'), start('worker')]),
    async stop() {
      current = null
      for (const process of running) process.signal('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      running = []
    },
    async afterRestore(moment) {
      const { code, out, err } = await runProgram(['after-restore', '--moment', moment, '--json'], { env })
      if (code !== 0) throw new Error(`drover after-restore ended with ${code}: ${err}`)
      return JSON.parse(out).to_look_up
    },
    readLedgers: async () => toEvidence(await readNetworks(), () => 'auspost').ledgerEntries,
    async cancelAtCarrier({ provider, id, numbers: [number] }) {
      // A parcel carrier's booking is named by its shipment and its number; a courier's by its id.
      const outcome = await portalOf(provider).cancel?.(number === undefined ? id : `${id}/${number}`)
      if (outcome?.kind !== 'yes') throw new Error(`${provider} kept ${id}: ${JSON.stringify(outcome)}`)
    },
  }
}

/** The carriers as their portals show them: called without Drover's database. */
function portals(cleanUps: CleanUps, networks: Networks): (provider: string) => Carrier {
  const { to, close } = outbound({ allowLoopback: true })
  owned(cleanUps, { stop: close })
  const open = (name: NetworkName): Carrier => {
    const adapter = ADAPTERS.get(name)
    if (!adapter?.live) throw new Error(`${name} has no adapter.`)
    const addresses = Object.entries(adapter.live.urls.sandbox).map(([at, url]) => [
      at,
      `${networks[name].url}${new URL(url).pathname.replace(/\/$/, '')}`,
    ])
    return adapter.make({
      send: to(Object.fromEntries(addresses), 5_000),
      credentials: credentialsOf(name),
      settings: name === 'auspost' ? AUSPOST_SETTINGS : {},
      environment: 'sandbox',
      wallMs: Date.now,
    })
  }
  const carriers = new Map<string, Carrier>(NETWORKS.map((name) => [name, open(name)]))
  return (provider) => {
    const carrier = carriers.get(provider)
    if (!carrier) throw new Error(`No carrier ${provider} takes part.`)
    return carrier
  }
}

function credentialsOf(name: NetworkName): Readonly<Record<string, string>> {
  const named: Readonly<Record<string, { secret: string }>> = carrierDocument(name, '', {}).credentials
  return Object.fromEntries(Object.entries(named).map(([key, { secret }]) => [key, SECRETS[secret] ?? '']))
}

/** A create that was sent once. */
export type Create = {
  reference: string
  body: object
  sentMs: number
  /** When the response arrived, and the delivery's id; null: no response. */
  acknowledged: { atMs: number; id: string } | null
}

/** Creates deliveries that are due at once, until `stop`; each is sent once. */
export function shop({ account }: Installation, prefix: string) {
  const creates: Create[] = []
  const wrong: string[] = []
  let isOver = false
  const shopper = async (number: number): Promise<void> => {
    for (let n = 1; !isOver; n += 1) {
      const create = newCreate(
        `${prefix}-${number}-${n}`,
        NETWORKS[(number + n) % NETWORKS.length] as NetworkName,
      )
      creates.push(create)
      await send(account, create).catch((error: Error) => !isOver && wrong.push(error.message))
      await sleep(THINK_MS)
    }
  }
  const shopping = Array.from({ length: SHOPPERS }, (_, number) => shopper(number))
  return {
    creates,
    wrong,
    async stop() {
      isOver = true
      await Promise.all(shopping)
    },
  }
}

/** Sends the create. Throws when it is not answered with 201. */
export async function send(account: Ask, create: Create): Promise<void> {
  const { reference, body } = create
  create.sentMs = performance.now()
  const headers = { 'idempotency-key': `create-${reference}` }
  const { status, json, text } = await account('POST /deliveries', {
    ...{ body, headers, signal: AbortSignal.timeout(5_000) },
  })
  if (status !== 201) throw new Error(`The create of ${reference} returned ${status}: ${text}`)
  create.acknowledged = { atMs: performance.now(), id: json.data.id }
}

function newCreate(reference: string, carrier: NetworkName): Create {
  const body = orderOf(STORE, reference, {
    ready_for_pickup_at: new Date(Date.parse(OPENS_AT) + 4 * MINUTE_MS).toISOString(),
    delivery_type: TYPE_OF[carrier],
  })
  return { reference, body, sentMs: 0, acknowledged: null }
}
