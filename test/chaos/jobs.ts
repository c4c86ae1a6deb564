import { NETWORKS } from '../harness/networks.ts'
import { orderOf } from '../harness/orders.ts'
import { seeded } from '../harness/random.ts'
import { type AccountName, STORE, TYPE_OF } from './account.ts'

/** One delivery of the run, and what its clerk does with it. */
export type Job = {
  reference: string
  account: AccountName
  /** Its delivery type, which selects the carrier, and whatever else differs from an ordinary order. */
  fields: Readonly<Record<string, unknown>>
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

const SHARES = { neighbour: 0.1, twice: 0.08, invalid: 0.03, amended: 0.15, cancelled: 0.15 }
const MINUTE_MS = 60_000

/** The jobs of a run: at which carriers, and how these respond. */
export type JobMix = {
  /** One for each carrier. */
  kinds: readonly { name: string; fields: Readonly<Record<string, unknown>> }[]
  /** Ends of references, in turn: the sandbox's carriers decide by them. */
  fates: readonly string[]
  /** The share of jobs that are booked inside their create, at this time of the run. */
  bookNow(atMs: number): number
}

export const CHAOS_MIX: JobMix = {
  kinds: NETWORKS.map((name) => ({ name, fields: { delivery_type: TYPE_OF[name] } })),
  fates: [''],
  bookNow: () => 0.2,
}

/** The same seed makes the same endless list of jobs, at this rate a second. */
export function* makeJobs(
  { kinds, fates, bookNow }: JobMix,
  seed: number,
  perSecond: number,
): Generator<Job, void> {
  const { below, chance, pick } = seeded(seed)
  for (let index = 0; ; index += 1) {
    const kind = pick(kinds)
    const atMs = Math.round((index / perSecond) * 1_000)
    yield {
      reference: `C${index + 1}-${kind.name}${fates[index % fates.length]}`,
      account: chance(SHARES.neighbour) ? 'neighbour' : 'chaos',
      fields: kind.fields,
      atMs,
      bookNow: chance(bookNow(atMs)),
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
    ...job.fields,
    ...(job.invalid ? { delivery_type: 'by pigeon' } : {}),
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
