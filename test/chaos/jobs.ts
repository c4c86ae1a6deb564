import { NETWORKS, type NetworkName } from '../harness/networks.ts'
import { orderOf } from '../harness/orders.ts'
import { seeded } from '../harness/random.ts'
import { type AccountName, STORE, TYPE_OF } from './account.ts'

/** One delivery of the run, and what its clerk does with it. */
export type Job = {
  reference: string
  account: AccountName
  network: NetworkName
  /** From the start of the run. */
  atMs: number
  bookNow: boolean
  /** Two requests at the same moment under the same key, to either API. */
  twice: boolean
  /** A request with a mistake in it: it must leave no delivery. */
  invalid: boolean
  /** Due only after an amendment, this long after the response; null: due at once. */
  amendAfterMs: number | null
  cancelAfterMs: number | null
  secretNumber: number
}

const SHARES = { neighbour: 0.1, bookNow: 0.2, twice: 0.08, invalid: 0.03, amended: 0.15, cancelled: 0.15 }
const MINUTE_MS = 60_000

/** The same seed makes the same endless list of jobs, at this rate a second. */
export function* chaosJobs(seed: number, perSecond: number): Generator<Job> {
  const { below, chance, pick } = seeded(seed)
  for (let index = 0; ; index += 1) {
    const network = pick(NETWORKS)
    yield {
      reference: `C${index + 1}-${network}`,
      account: chance(SHARES.neighbour) ? 'neighbour' : 'chaos',
      network,
      atMs: Math.round((index / perSecond) * 1_000),
      bookNow: chance(SHARES.bookNow),
      twice: chance(SHARES.twice),
      invalid: chance(SHARES.invalid),
      amendAfterMs: chance(SHARES.amended) ? below(2_000) : null,
      cancelAfterMs: chance(SHARES.cancelled) ? below(8_000) : null,
      secretNumber: below(1_000_000),
    }
  }
}

/** Appears in every response about the account's deliveries, and may appear in no other. */
export function canaryOf(account: AccountName): string {
  return `canary of ${account}`
}

/** The delivery's instructions, before and after the amendment. */
export function instructionsOf({ account, secretNumber }: Job, amended: boolean): string {
  return `${canaryOf(account)}: behind gate ${secretNumber}${amended ? ', and ring twice' : ''}`
}

/** `nowMs` is account time. */
export function createBody(job: Job, nowMs: number): Record<string, unknown> {
  const waits = job.amendAfterMs !== null
  return orderOf(STORE, job.reference, {
    ready_for_pickup_at: new Date(nowMs + (waits ? 70 : 4) * MINUTE_MS).toISOString(),
    delivery_type: job.invalid ? 'by pigeon' : TYPE_OF[job.network],
    special_instructions: instructionsOf(job, false),
    book_delivery_now: job.bookNow && !waits,
  })
}

/** Makes the delivery due. */
export function amendBody(job: Job, nowMs: number): Record<string, unknown> {
  return {
    special_instructions: instructionsOf(job, true),
    ready_for_pickup_at: new Date(nowMs + 4 * MINUTE_MS).toISOString(),
  }
}
