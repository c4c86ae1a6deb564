import { type FakeEntry, type FakeProcess, startFakeProcess } from '../fake-process.ts'
import {
  auspostEntries,
  auspostOrders,
  doordashEntries,
  ledgerReader,
  uberEntries,
  unlistedKeys,
} from '../harness/ledger.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'

export const NETWORKS = ['auspost', 'uber_direct', 'doordash'] as const
export type NetworkName = (typeof NETWORKS)[number]

export type Network = {
  name: NetworkName
  /** The address that our service calls: a proxy. */
  proxy: TcpProxy
  /** Changes a setting of the fake, not through the proxy. */
  control: FakeProcess['control']
  /** The fake's whole ledger, oldest entry first. */
  ledger(): Promise<readonly FakeEntry[]>
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
  return {
    name,
    proxy,
    control: fake.control,
    ledger: ledgerReader(fake),
    async stop() {
      await proxy.stop()
      await fake.stop()
    },
  }
}

/** The ledgers of all carriers. */
export async function readLedgers(networks: readonly Network[]) {
  const read = async (name: NetworkName) => (await networks.find((one) => one.name === name)?.ledger()) ?? []
  const auspost = await read('auspost')
  return {
    ledgerEntries: [
      ...auspostEntries(auspost, () => 'auspost'),
      ...uberEntries(await read('uber_direct')),
      ...doordashEntries(await read('doordash')),
    ],
    orders: auspostOrders(auspost, () => 'auspost'),
    unlisted: unlistedKeys(auspost),
  }
}
