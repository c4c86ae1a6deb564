import { type FakeEntry, type FakeProcess, startFakeProcess } from '../fake-process.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export const NETWORKS = ['auspost', 'uber_direct', 'doordash'] as const
export type NetworkName = (typeof NETWORKS)[number]

/** An entry of a carrier's own ledger, in one form for all carriers. */
export type LedgerEntry = {
  carrier: NetworkName
  /** `ordered`: several bookings handed over together; `unlisted`: a look-up found no booking. */
  what: 'booked' | 'cancelled' | 'ordered' | 'unlisted'
  /** Of a booking or a look-up: our key. Of an order: our reference. */
  key: string | null
  /** The carrier's numbers for it, its own id first. */
  names: string[]
  /** Of an order: its shipments. */
  parts: string[]
}

export type Network = {
  name: NetworkName
  /** The address for our service: a proxy. */
  proxy: TcpProxy
  /** Changes a setting of the fake, not through the proxy. */
  control: FakeProcess['control']
  /** Its whole ledger, oldest first. */
  ledger(): Promise<LedgerEntry[]>
  stop(): Promise<void>
}

/** Delay each way: carriers are far, and a kill can only hit a call that takes some time. */
const USUAL_MS = 200
const FAKE: Record<NetworkName, string> = {
  auspost: 'auspost',
  uber_direct: 'uber-direct',
  doordash: 'doordash',
}

/** A carrier as `drover fake` ships it: a separate process with a ledger that no other process can write. */
export async function startNetwork(name: NetworkName, at: string): Promise<Network> {
  const fake = await startFakeProcess(FAKE[name], ['--at', at])
  const proxy = await startTcpProxy(() => Number(new URL(fake.url).port), USUAL_MS)
  const entries: LedgerEntry[] = []
  return {
    name,
    proxy,
    control: fake.control,
    async ledger() {
      entries.push(...(await fake.updates()).flatMap((entry) => READ[name](entry) ?? []))
      return entries
    },
    async stop() {
      await proxy.stop()
      await fake.stop()
    },
  }
}

/** Each carrier's own names for the operations that count. */
const READ: Record<NetworkName, (entry: FakeEntry) => LedgerEntry | null> = {
  auspost(entry) {
    const common = { carrier: 'auspost' as const, parts: [] as string[] }
    if (entry.what === 'order_created') {
      const parts = entry.shipments.map(({ shipment_id }: FakeEntry) => shipment_id)
      return { ...common, what: 'ordered', key: entry.order_reference, names: [entry.order_id], parts }
    }
    const lookedUp = new URLSearchParams(entry.query ?? '').get('sender_reference')
    if (entry.what === 'request' && entry.faults?.includes('empty') && lookedUp)
      return { ...common, what: 'unlisted', key: lookedUp, names: [] }
    const what = { shipment_created: 'booked', shipment_deleted: 'cancelled' } as const
    if (!(entry.what in what)) return null
    return {
      ...common,
      what: what[entry.what as keyof typeof what],
      key: entry.sender_references[0] ?? null,
      names: [entry.shipment_id, ...entry.article_ids],
    }
  },
  uber_direct: ({ what, delivery_id, external_id = null }) =>
    toLedgerEntry('uber_direct', { delivery_created: 'booked', delivery_canceled: 'cancelled' }, what, [
      external_id,
      delivery_id,
    ]),
  doordash: ({ what, external_delivery_id }) =>
    toLedgerEntry('doordash', { delivery_created: 'booked', delivery_cancelled: 'cancelled' }, what, [
      external_delivery_id,
      external_delivery_id,
    ]),
}

function toLedgerEntry(
  carrier: NetworkName,
  outcomes: Readonly<Record<string, 'booked' | 'cancelled'>>,
  message: string,
  [key, id]: readonly [string | null, string],
): LedgerEntry | null {
  const what = outcomes[message]
  return what ? { carrier, what, key, names: [id], parts: [] } : null
}
