import type { Account, Store } from '../../src/domain/account/account.ts'
import type { Destination, Job } from '../../src/domain/quoting/job.ts'
import { jobAt } from '../jobs.ts'
import { plusDays } from './clock.ts'
import { everyDay, type OracleStore } from './stores.ts'

/** One question for product and oracle: the account as the product compiled it, the store as the oracle knows it. */
export type Question = { account: Account; store: OracleStore; job: Job; nowMs: number; about: string }

export function ask(
  account: Account,
  store: OracleStore,
  nowMs: number,
  changes: Partial<Job>,
  about: string,
): Question {
  const job = { ...jobAt(account, { store: storeOf(account, store) }), ...changes }
  return { account, store, job, nowMs, about }
}

/** A home nearby. */
export function homeBy(account: Account, store: OracleStore): Destination {
  const { lat, lng, state, address } = storeOf(account, store)
  return {
    lat,
    lng,
    state,
    postCode: address.postCode,
    suburb: null,
    residential: true,
    addressKind: 'street',
    warning: null,
  }
}

export function* daysOf(
  stores: readonly OracleStore[],
  from: string,
  to: string,
): Generator<[OracleStore, string]> {
  for (const store of stores) for (let date = from; date <= to; date = plusDays(date, 1)) yield [store, date]
}

/** The same store with these hours every day, and pickups until this many minutes before closing. */
export function open(store: OracleStore, hours: string, pickupEndsMinutesBefore = 0): OracleStore {
  return { ...store, week: everyDay(hours), pickupEndsMinutesBefore }
}

/** The question, for the message of a failure. */
export function inWords({ store, job, nowMs, about }: Question): string {
  const { readyForPickupAtMs: readyMs, destination, carrierReadyMs } = job
  const words = [
    `${store.reference} at ${new Date(nowMs).toISOString()}`,
    ...(readyMs === null ? [] : [`ready ${new Date(readyMs).toISOString()}`]),
    ...(job.ignoreBufferTime ? ['no buffer'] : []),
    ...[...carrierReadyMs].map(([provider, ms]) => `${provider} there ${new Date(ms).toISOString()}`),
    `${about} ${job.mode === 'customer_pickup' ? 'back from' : 'to'} ${destination.suburb ?? 'an unknown suburb'} ${destination.postCode}`,
  ]
  return words.join(', ')
}

function storeOf(account: Account, { reference }: OracleStore): Store {
  return account.storeByReference.get(reference)!
}
