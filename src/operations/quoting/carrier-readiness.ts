import { setTimeout as after } from 'node:timers/promises'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { parcelsReadyMs } from '../../domain/calendar/windows.ts'
import { type Job, readyTimes } from '../../domain/quoting/job.ts'
import type { Deps } from '../context/deps.ts'

/** Provider → when it could be at the store, and a sentence for each carrier whose word is missing. */
export type Readiness = { carrierReadyMs: ReadonlyMap<string, number>; warnings: readonly string[] }

/**
 * Asks the carriers that can tell, all at once, for their first driver or run at the job's store from when its
 * parcels are ready (`use_dynamic_RFP`). One that does not answer in time counts as ready when the order is.
 */
export async function askReadiness(
  deps: Pick<Deps, 'carrierOf'>,
  account: Account,
  job: Job,
  nowMs: number,
): Promise<Readiness> {
  const carrierReadyMs = new Map<string, number>()
  const warnings: string[] = []
  const readyMs = parcelsReadyMs(readyTimes(job, nowMs))
  const pinned = job.pin?.provider ?? null
  const asked = account.carriers.filter(({ provider }) => pinned === null || provider === pinned)
  const deadline = new AbortController()
  const late = after(DEADLINE_MS, LATE, { signal: deadline.signal }).catch(() => LATE)
  await Promise.all(asked.map(ask))
  deadline.abort()
  return { carrierReadyMs, warnings }

  async function ask({ provider, name }: CarrierAccount) {
    const answer = deps.carrierOf(account.id, provider)?.availableFrom?.(job.store.reference, readyMs)
    if (!answer) return
    const outcome = await Promise.race([answer, late]).catch(() => UNREADABLE)
    if (outcome.kind === 'yes') carrierReadyMs.set(provider, outcome.value)
    else warnings.push(`${name} did not say when it could be at the store: ${outcome.said}`)
  }
}

/** A quote waits no longer for carriers than a person would. */
const DEADLINE_MS = 1_500
const UNREADABLE = { kind: 'unknown', said: 'its answer could not be read.' } as const
const LATE = { kind: 'unknown', said: 'no answer in time.' } as const
