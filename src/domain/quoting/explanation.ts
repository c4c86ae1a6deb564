import type { Account, Service } from '../account/account.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import type { DeliveryType, Window } from '../values.ts'
import type { Decision, Exclusion, ExclusionRule, PriceLine } from './decision.ts'
import { factsOf } from './facts.ts'
import type { Job } from './job.ts'
import { priceOf } from './price.ts'

/** A decision as plain data: stored with the delivery and answered as its `decision` or `explanation`. */
export type Explanation = {
  decidedAtMs: number
  earliestPickupMs: number | null
  /** What the address was taken for; absent in records from before it was looked at. */
  addressKind?: AddressKind
  services: readonly ExplainedService[]
  warnings: readonly string[]
}

export type ExplainedService = Named & (ExplainedOption | ExplainedExclusion)

type Named = { provider: string; service: string; carrierCode: string; deliveryType: DeliveryType }
type ExplainedOption = {
  eligible: true
  priceCents: number
  lines: readonly PriceLine[]
  gstIncludedCents: number
  pickupMs: number
  window: Window
  numDays: number
}
type ExplainedExclusion = {
  eligible: false
  rule: ExclusionRule
  detail: string
  /** By its price list, had the rule not been; absent where only its carrier could tell, or nobody reckoned it. */
  wouldCostCents?: number
}

/** Every service that was asked: the options in booking order, then those that are none and why. */
export function explain(
  decision: Decision,
  wouldCost: (exclusion: Exclusion) => number | null = () => null,
): Explanation {
  const { decidedAtMs, earliestPickupMs, addressKind, warnings } = decision
  const eligible = decision.options.map(
    ({ service, priceCents, lines, gstIncludedCents, pickupMs, window, numDays }) => ({
      ...named(service),
      eligible: true as const,
      priceCents,
      lines,
      gstIncludedCents,
      pickupMs,
      window,
      numDays,
    }),
  )
  const excluded = decision.exclusions.map((exclusion) => {
    const { service, rule, detail } = exclusion
    const wouldCostCents = wouldCost(exclusion)
    return {
      ...named(service),
      eligible: false as const,
      rule,
      detail,
      ...(wouldCostCents === null ? {} : { wouldCostCents }),
    }
  })
  return { decidedAtMs, earliestPickupMs, addressKind, services: [...eligible, ...excluded], warnings }
}

/** As it is kept with the delivery: beside why a service was kept out, what it would have cost. */
export function explainForRecord(account: Account, job: Job, decision: Decision): Explanation {
  const facts = factsOf(job)
  return explain(decision, ({ service, rule }) => {
    if (NOT_WANTED.has(rule) || service.livePrice) return null
    return priceOf(account.pricing, service, job, facts)?.priceCents ?? null
  })
}

/** The job itself asked for something else: nothing was kept out. */
const NOT_WANTED: ReadonlySet<ExclusionRule> = new Set(['delivery_type', 'provider_options'])

function named({ provider, service, carrierCode, type }: Service): Named {
  return { provider, service, carrierCode, deliveryType: type }
}
