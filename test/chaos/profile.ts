import type { CleanUps } from '../harness/clean-ups.ts'
import type { LedgerEntry, Order } from '../harness/ledger.ts'
import {
  ledgersReader,
  NETWORKS,
  type NetworkName,
  type Networks,
  registerWebhooks,
  SECRETS,
  startNetworks,
  toEvidence,
} from '../harness/networks.ts'
import { type AccountName, accountDocument, MANIFEST_GROUP, OPENS_AT } from './account.ts'
import { CHAOS_MIX, type Job, makeJobs } from './jobs.ts'
import type { Troubles } from './parties.ts'
import type { ScheduledFault } from './schedule.ts'

/** What differs between the runs of `npm run chaos` and of `npm run kills`. */
export type Profile = {
  /** Account time at the start. */
  opensAt: string
  accountDocument(account: AccountName, urlOf: (carrier: string) => string): { tenant_id: string }
  secrets: Readonly<Record<string, string>>
  startCarriers(cleanUps: CleanUps, database: { url: string; secretKey: string }): Promise<Carriers>
  /** The delay each way between a process and a carrier. */
  carrierDelayMs: number
  /** Settings of the processes. If they include `SANDBOX_URL`, the run starts process.ts instead of `drover`. */
  envOf(urlOf: (carrier: string) => string): Readonly<Record<string, string>>
  /** One webhook receiver for each entry. */
  receivers: readonly Troubles[]
  hasSmallDisk: boolean
  /** Submitted every few seconds; null: no manifests. */
  manifestGroup: string | null
  jobs: Iterable<Job>
  schedule: Iterable<ScheduledFault>
  /** True: a clerk requeues a dead-lettered delivery. False: a dead-lettered delivery breaks a promise. */
  hasClerk: boolean
  /** The reason of a delivery that waits for the carrier's staff, because nobody else can know the outcome. */
  onlyStaffKnow: RegExp | null
  /** How far the account's clock moves when the work that is left makes no progress. */
  clockStepMinutes(left: readonly { reference: string; status: string }[]): number
}

export type Carriers = {
  /** Addresses by name. */
  urls: Readonly<Record<string, string>>
  /** Carriers that inject faults on request, and have a clock that is moved. */
  networks: Partial<Networks>
  /** Sends tracking webhooks to this API from now on. */
  follow(apiUrl: string): Promise<void>
  readLedger(deliveries: readonly { id: string; reference: string }[]): Promise<CarrierLedger>
}

export type CarrierLedger = {
  ledgerEntries: readonly LedgerEntry[]
  orders: readonly Order[]
  unlisted: readonly string[]
}

/** For work that waits for a retry by the account's clock: the run moves that clock instead of waiting. */
const STEP_MINUTES = 4
/** Carriers are far, and a kill can only hit a call that takes some time. */
const CARRIER_DELAY_MS = 200

/** `rate`: creates a second. */
export function chaosProfile(
  seed: number,
  { rate, schedule }: { rate: number; schedule: Iterable<ScheduledFault> },
): Profile {
  return {
    opensAt: OPENS_AT,
    accountDocument,
    secrets: SECRETS,
    startCarriers: startNetworkCarriers,
    carrierDelayMs: CARRIER_DELAY_MS,
    envOf: () => ({}),
    receivers: [
      { refused: 0, cut: 0, acceptedAndCut: 0 },
      { refused: 1, cut: 0.5, acceptedAndCut: 0.5 },
    ],
    hasSmallDisk: true,
    manifestGroup: MANIFEST_GROUP,
    jobs: makeJobs(CHAOS_MIX, seed, rate),
    schedule,
    hasClerk: true,
    onlyStaffKnow: null,
    clockStepMinutes: () => STEP_MINUTES,
  }
}

async function startNetworkCarriers(cleanUps: CleanUps): Promise<Carriers> {
  const networks = await startNetworks(cleanUps, () => ['--at', OPENS_AT])
  const readLedgers = ledgersReader(networks)
  return {
    urls: Object.fromEntries(NETWORKS.map((name: NetworkName) => [name, networks[name].url])),
    networks,
    follow: (apiUrl) => registerWebhooks(networks, 'doordash', apiUrl, 'chaos'),
    readLedger: async () => toEvidence(await readLedgers(), () => 'auspost'),
  }
}
