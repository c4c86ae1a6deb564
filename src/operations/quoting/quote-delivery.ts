import { setTimeout as after } from 'node:timers/promises'
import type { Account, CarrierAccount } from '../../domain/account/account.ts'
import { parcelsReadyMs } from '../../domain/calendar/windows.ts'
import type { QuoteRequest } from '../../domain/delivery/request.ts'
import { type AvailabilityDecision, checkAvailability } from '../../domain/quoting/availability.ts'
import { decide } from '../../domain/quoting/decide.ts'
import type { Decision } from '../../domain/quoting/decision.ts'
import { type CarrierOut, type Job, readyTimes } from '../../domain/quoting/job.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { fetchCarrierPrices, priceWarnings, type Street } from './carrier-prices.ts'
import { resolveQuoteOrRefuse } from './resolve-delivery.ts'

/** Provider → when it could be at the store, and a sentence for each carrier whose word is missing. */
type Readiness = { carrierReadyMs: ReadonlyMap<string, number>; warnings: readonly string[] }

/**
 * Asks the carriers that can tell, all at once, for their first driver or run at the job's store from when its
 * parcels are ready (`use_dynamic_RFP`). One that does not answer in time counts as ready when the order is.
 */
async function askReadiness(
  deps: Pick<Deps, 'accounts' | 'carrierOf'>,
  account: Account,
  job: Job,
  nowMs: number,
): Promise<Readiness> {
  const carrierReadyMs = new Map<string, number>()
  const warnings: string[] = []
  const readyMs = parcelsReadyMs(readyTimes(job, nowMs))
  const pinned = job.pin?.provider ?? null
  const asked = account.carriers.filter(
    ({ provider }) => !job.carriersOff.has(provider) && (pinned === null || provider === pinned),
  )
  const deadline = new AbortController()
  const late = after(DEADLINE_MS, LATE, { signal: deadline.signal }).catch(() => LATE)
  await Promise.all(asked.map(ask))
  deadline.abort()
  return { carrierReadyMs, warnings }

  async function ask({ provider, name }: CarrierAccount) {
    const answer = (await findCarrier(deps, account.id, provider))?.availableFrom?.(
      job.store.reference,
      readyMs,
    )
    if (!answer) return
    const outcome = await Promise.race([answer, late]).catch(() => UNREADABLE)
    if (outcome.kind === 'yes') carrierReadyMs.set(provider, outcome.value)
    else warnings.push(`${name} did not say when it could be at the store: ${outcome.message}`)
  }
}

/** A quote waits no longer for carriers than a person would. */
const DEADLINE_MS = 1_500
const UNREADABLE = { kind: 'unknown', message: 'its answer could not be read.' } as const
const LATE = { kind: 'unknown', message: 'no answer in time.' } as const

export type Quoted = { decision: Decision; job: Job }

/**
 * What every service says to a request; carriers are asked only for a dynamic RFP and for prices of their own.
 * Where nobody is asked, the answer is there at once: a promise of it would cost a tenth more.
 */
export function quoteDelivery(
  deps: Pick<Deps, 'accounts' | 'carrierOf' | 'log'>,
  entry: AccountEntry,
  caller: Caller,
  request: QuoteRequest,
): Quoted | Promise<Quoted> {
  const job = resolveQuoteOrRefuse(entry, caller, request)
  const { account } = entry
  const asks = request.useDynamicRfp || account.services.some(({ livePrice }) => livePrice)
  const isOut = entry.carriersOff.size > 0 || entry.carriersNotSetUp.size > 0
  if (!asks && !isOut) return { decision: decide(account, job, entry.nowMs()), job }
  const { address = null, address2 = null, city } = request.address
  const street = { address, address2, city, phone: null }
  return decideAsking(deps, entry, job, { dynamic: request.useDynamicRfp, street })
}

/**
 * What the carriers are asked before deciding. A person waits no longer than the account's quote deadline. `excluded`:
 * providers that the delivery was reassigned from.
 */
export type Asking = {
  dynamic: boolean
  street: Street | null
  deadlineMs?: number
  excluded?: readonly string[]
  /** What is decided is booked: a carrier's quote is then this booking's alone. */
  isForBooking?: boolean
}

/** The part of an account's entry that a decision needs. */
export type DecidingEntry = Pick<AccountEntry, 'account' | 'nowMs' | 'carriersOff' | 'carriersNotSetUp'>

/** Decides with the carriers' own word where it is wanted: when they could be at the store, what they ask for it. */
export async function decideAsking(
  deps: Pick<Deps, 'accounts' | 'carrierOf' | 'log'>,
  entry: DecidingEntry,
  job: Job,
  asking: Asking,
): Promise<Quoted> {
  const { account, nowMs } = entry
  const { dynamic, street, deadlineMs = account.quotes.carrierDeadlineMs, excluded = [] } = asking
  const { isForBooking = false } = asking
  const warnings: string[] = []
  const out = carriersOut(entry, { excluded, isForBooking })
  let asked = out.size === 0 ? job : { ...job, carriersOff: out }
  if (dynamic) {
    const readiness = await askReadiness(deps, account, asked, nowMs())
    asked = { ...asked, carrierReadyMs: readiness.carrierReadyMs }
    warnings.push(...readiness.warnings)
  }
  const carrierWords = await fetchCarrierPrices(deps, account, asked, {
    nowMs: nowMs(),
    deadlineMs,
    street,
    isForBooking,
  })
  if (carrierWords.size > 0) {
    asked = { ...asked, rateResponses: carrierWords }
    warnings.push(...priceWarnings(account, carrierWords))
  }
  const decision = decide(account, asked, nowMs())
  return { decision: { ...decision, warnings: [...decision.warnings, ...warnings] }, job: asked }
}

function carriersOut(
  { account, carriersOff, carriersNotSetUp }: DecidingEntry,
  { excluded, isForBooking }: { excluded: readonly string[]; isForBooking: boolean },
): Map<string, CarrierOut> {
  const nameOf = (provider: string) => account.carrierByProvider.get(provider)?.name ?? provider
  const out = new Map<string, CarrierOut>()
  for (const { provider, reason } of carriersOff.values()) {
    const detail = `${nameOf(provider)} is switched off${reason === null ? '' : `: ${reason}`}.`
    out.set(provider, { rule: 'carrier_disabled', detail, mayComeLater: true })
  }
  for (const [provider, { detail, isCurable }] of carriersNotSetUp) {
    // A new delivery is refused. One that was accepted before waits until the operator has set the carrier up.
    const mayComeLater = isForBooking && isCurable
    out.set(provider, { rule: 'not_set_up', detail, ...(mayComeLater ? { mayComeLater } : {}) })
  }
  for (const provider of excluded) {
    const detail = `It was cancelled with ${nameOf(provider)}, to be booked with another carrier.`
    out.set(provider, { rule: 'excluded_by_reassignment', detail })
  }
  return out
}

/** The address that carriers with door-to-door prices receive. */
export function toStreet(content: {
  address: { address: string; address2: string | null; city: string }
  customer: { phone: string }
}): Street {
  const { address, address2, city } = content.address
  return { address, address2, city, phone: content.customer.phone }
}

/** The earliest window of each delivery type; asks no carrier and no database. */
export function checkDeliveryAvailability(
  entry: AccountEntry,
  caller: Caller,
  request: QuoteRequest,
): { availability: AvailabilityDecision; job: Job } {
  const job = resolveQuoteOrRefuse(entry, caller, request)
  return { availability: checkAvailability(entry.account, job, entry.nowMs()), job }
}
