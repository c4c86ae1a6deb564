import type { Service } from '../account/account.ts'
import type { DeliveryType, Window } from '../values.ts'
import type { Decision, ExclusionRule, PriceLine } from './decision.ts'

/** A decision as plain data: stored with the delivery and answered as its `decision` or `explanation`. */
export type Explanation = {
  decidedAtMs: number
  earliestPickupMs: number | null
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
type ExplainedExclusion = { eligible: false; rule: ExclusionRule; detail: string }

/** Every service that was asked: the options in booking order, then those that are none and why. */
export function explain(decision: Decision): Explanation {
  const { decidedAtMs, earliestPickupMs, warnings } = decision
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
  const excluded = decision.exclusions.map(({ service, rule, detail }) => ({
    ...named(service),
    eligible: false as const,
    rule,
    detail,
  }))
  return { decidedAtMs, earliestPickupMs, services: [...eligible, ...excluded], warnings }
}

function named({ provider, service, carrierCode, type }: Service): Named {
  return { provider, service, carrierCode, deliveryType: type }
}
