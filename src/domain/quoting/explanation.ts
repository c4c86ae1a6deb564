import type { Account, Service } from '../account/account.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import type { DeliveryType, Window } from '../values.ts'
import type { Decision, Exclusion, ExclusionRule, PriceLine } from './decision.ts'
import { toFacts } from './facts.ts'
import type { Job } from './job.ts'
import { computePrice } from './price.ts'

/** A decision as plain data: stored with the delivery and returned as its `decision` or `explanation`. */
export type Explanation = {
  decidedAtMs: number
  earliestPickupMs: number | null
  /** The address kind that was recognised; absent in records from before we stored it. */
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
  /**
   * The price from its price list, had the rule not applied; absent if only the carrier knows it, or Drover has not
   * calculated it.
   */
  wouldCostCents?: number
}

/** Every service that was considered: the options in booking order, then the excluded ones with the reason. */
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

/** The form stored with the delivery: excluded services also have the price they would have cost. */
export function explainForRecord(account: Account, job: Job, decision: Decision): Explanation {
  const facts = toFacts(job)
  return explain(decision, ({ service, rule }) => {
    if (NOT_WANTED.has(rule) || service.livePrice) return null
    return computePrice(account.pricing, service, job, facts)?.priceCents ?? null
  })
}

/** The job itself asked for something different, so the service was not excluded by a limit. */
const NOT_WANTED: ReadonlySet<ExclusionRule> = new Set(['delivery_type', 'provider_options'])

function named({ provider, service, carrierCode, type }: Service): Named {
  return { provider, service, carrierCode, deliveryType: type }
}
