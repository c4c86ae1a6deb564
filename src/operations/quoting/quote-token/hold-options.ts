import type { QuoteRequest } from '../../../domain/delivery/request.ts'
import { type AvailabilityDecision, checkAvailability } from '../../../domain/quoting/availability.ts'
import { bestByType, makeWindowFinder } from '../../../domain/quoting/decide.ts'
import type { Decision, Option } from '../../../domain/quoting/decision.ts'
import type { Job } from '../../../domain/quoting/job.ts'
import {
  type BoundJob,
  boundFields,
  boundJobOfQuote,
  type Hold,
  heldOptions,
  heldUntilMs,
  reachesWindow,
} from '../../../domain/quoting/quote-token.ts'
import type { DeliveryType, Window } from '../../../domain/values.ts'
import type { Deps } from '../../deps.ts'
import type { AccountEntry } from '../../directory/account-directory.ts'
import type { DecidingEntry } from '../quote-delivery.ts'
import { sealQuoteToken, type TokenPlace, toDigests } from './quote-token.ts'

/** A promise that a caller may redeem: the token, and the wall time that it is valid until (see `makeSealer`). */
export type Held = { quoteId: string; validUntilMs: number }
export type HeldByType = Partial<Record<DeliveryType, Held>>

/** What the tokens of one answer have in common. */
export type Holding = {
  deps: Pick<Deps, 'secretKey'>
  entry: DecidingEntry & Pick<AccountEntry, 'clockOffsetMs'>
  bound: BoundJob
  linkId: string | null
}

/** Of a quote or an availability. */
export function toHolding(
  deps: Holding['deps'],
  entry: Holding['entry'],
  request: QuoteRequest,
  job: Job,
): Holding {
  return { deps, entry, bound: boundJobOfQuote(request, job), linkId: null }
}

/** A token for the option of each type that would be booked first. Asks nobody. */
export function holdOptions(holding: Holding, job: Job, decision: Decision): HeldByType {
  const seal = makeSealer(holding, decision.decidedAtMs)
  const held: HeldByType = {}
  for (const option of Object.values(bestByType(decision))) {
    held[option.service.type] = seal(toHold(option), makeWindowFinder(option.service, job))
  }
  return held
}

/**
 * A token for the window of each type, where a service of that type could come in it now (`decision`). It is kept
 * while both the type's window and one of those services are.
 */
export function holdWindows(
  holding: Holding,
  job: Job,
  { windows, decidedAtMs }: AvailabilityDecision,
  decision: Decision,
): HeldByType {
  const seal = makeSealer(holding, decidedAtMs)
  const held: HeldByType = {}
  for (const [type, window] of Object.entries(windows) as [DeliveryType, Window][]) {
    const hold: Hold = { kind: 'window', deliveryType: type, window }
    const keeping = heldOptions(decision, hold, Date.now()).map(({ service }) =>
      makeWindowFinder(service, job),
    )
    if (keeping.length === 0) continue
    const windowAt = (ms: number) => {
      const isComing = keeping.some((offeredAt) => {
        const offered = offeredAt(ms)
        return offered !== null && reachesWindow(offered, window)
      })
      if (!isComing) return null
      return (
        checkAvailability(holding.entry.account, { ...job, deliveryType: type }, ms).windows[type] ?? null
      )
    }
    held[type] = seal(hold, windowAt)
  }
  return held
}

function toHold({ service, priceCents, window, quote }: Option): Hold {
  return {
    kind: 'option',
    deliveryType: service.type,
    provider: service.provider,
    service: service.service,
    priceCents,
    window,
    quote,
  }
}

/**
 * A token lives by the wall clock, as all tokens do; the cut-off that its window rests on is account time, so that a
 * test clock that passes it ends the token.
 */
function makeSealer(
  { deps, entry, bound, linkId }: Holding,
  nowMs: number,
): (hold: Hold, windowAt: (ms: number) => Window | null) => Held {
  const { account, clockOffsetMs } = entry
  const place: TokenPlace = { secretKey: deps.secretKey, accountId: account.id, linkId }
  const digests = toDigests(place, boundFields(bound))
  const lifeMs = account.quotes.holdMinutes * 60_000
  return (hold, windowAt) => {
    const keptUntil = heldUntilMs(windowAt, { nowMs, untilMs: nowMs + lifeMs })
    const untilMs = nowMs - clockOffsetMs + lifeMs
    const quoteId = sealQuoteToken(place, { hold, untilMs, keptUntilMs: keptUntil, bound: digests })
    return { quoteId, validUntilMs: Math.min(untilMs, keptUntil - clockOffsetMs) }
  }
}
