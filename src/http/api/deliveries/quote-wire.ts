import type { Account, Store } from '../../../domain/account/account.ts'
import { formatLocal, type Zone } from '../../../domain/calendar/zone.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { AvailabilityDecision } from '../../../domain/quoting/availability.ts'
import type { ChargedOn } from '../../../domain/quoting/chargeable-weight.ts'
import type { Decision, Option } from '../../../domain/quoting/decision.ts'
import type { ExplainedService, Explanation } from '../../../domain/quoting/explanation.ts'
import type { DeliveryType } from '../../../domain/values.ts'
import type { Held, HeldByType } from '../../../operations/quoting/quote-token/hold-options.ts'
import { type FreshOptions, OptionChanged } from '../../../operations/quoting/quote-token/redeem-quote.ts'
import { recordTime } from './delivery-wire.ts'

/** The first option of each delivery type. Options are in the account's booking order. */
export function fromDecision(
  account: Account,
  store: Store,
  decision: Decision,
  held: HeldByType = {},
): Record<string, unknown> {
  const quotes: Partial<Record<DeliveryType, unknown>> = {}
  for (const option of decision.options) {
    const { type } = option.service
    quotes[type] ??= fromOption(option, store.zone, account.ownCarriers, held[type])
  }
  return quotes
}

/** The options that remain after a quoted option is no longer available. */
export function fromFreshOptions({ account, store, decision, held }: FreshOptions): Record<string, unknown> {
  return fromDecision(account, store, decision, held)
}

/** Names the carrier only to accounts with their own carriers. JSON omits undefined fields. */
function fromOption(
  { service, priceCents, window, numDays }: Option,
  zone: Zone,
  named: boolean,
  held: Held | undefined,
) {
  return {
    price_cents: priceCents,
    currency: 'AUD',
    from_datetime: formatLocal(zone, window.fromMs),
    to_datetime: formatLocal(zone, window.toMs),
    num_days: numDays,
    provider: named ? service.provider : undefined,
    service: named ? service.service : undefined,
    carrier_code: named ? service.carrierCode : undefined,
    ...(held && fromHeld(held)),
  }
}

function fromHeld({ quoteId, validUntilMs }: Held) {
  return { quote_id: quoteId, valid_until: recordTime(validUntilMs) }
}

/** The window of each available delivery type. */
export function fromAvailability(
  { windows }: AvailabilityDecision,
  zone: Zone,
  held: HeldByType = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(windows).map(([type, { fromMs, toMs }]) => {
      const promise = held[type as DeliveryType]
      const window = { from_datetime: formatLocal(zone, fromMs), to_datetime: formatLocal(zone, toMs) }
      return [type, promise ? { ...window, ...fromHeld(promise) } : window]
    }),
  )
}

/** The eligible services with their price lines, and the excluded services with the rule that excluded each. */
export function fromExplanation(
  explanation: Explanation,
  zone: Zone,
  chargedOn: ReadonlyMap<ExplainedService, ChargedOn> = new Map(),
): Record<string, unknown> {
  return {
    decided_at: formatLocal(zone, explanation.decidedAtMs),
    earliest_pickup_at: timeOrNull(explanation.earliestPickupMs, zone),
    address_kind: explanation.addressKind,
    services: explanation.services.map((service) => fromExplained(service, zone, chargedOn.get(service))),
    warnings: explanation.warnings,
  }
}

function fromExplained(
  service: ExplainedService,
  zone: Zone,
  on: ChargedOn | undefined,
): Record<string, unknown> {
  const named = {
    provider: service.provider,
    service: service.service,
    carrier_code: service.carrierCode,
    delivery_type: service.deliveryType,
    eligible: service.eligible,
  }
  if (!service.eligible) return { ...named, rule: service.rule, detail: service.detail }
  return {
    ...named,
    price_cents: service.priceCents,
    lines: service.lines.map(({ name, cents, detail }) => ({ name, cents, detail: detail ?? undefined })),
    billing_basis: on && { weight_kg: on.weightKg ?? undefined, distance_km: on.km ?? undefined },
    gst_included_cents: service.gstIncludedCents,
    pickup_at: formatLocal(zone, service.pickupMs),
    from_datetime: formatLocal(zone, service.window.fromMs),
    to_datetime: formatLocal(zone, service.window.toMs),
    num_days: service.numDays,
  }
}

/** Why a delivery type has no window, and when the earliest pickup is. */
export function fromAvailabilityDecision(
  decision: AvailabilityDecision,
  zone: Zone,
): Record<string, unknown> {
  return {
    decided_at: formatLocal(zone, decision.decidedAtMs),
    earliest_pickup_at: timeOrNull(decision.earliestPickupMs, zone),
    address_kind: decision.addressKind,
    excluded: decision.exclusions.map(({ deliveryType, rule, detail }) => ({
      delivery_type: deliveryType,
      rule,
      detail,
    })),
    warnings: decision.warnings,
  }
}

function timeOrNull(ms: number | null, zone: Zone): string | null {
  return ms === null ? null : formatLocal(zone, ms)
}

/** Runs `work`. If its quoted option is no longer available, adds the current options, formatted by `show`, to the refusal. */
export async function withFreshOptions<T>(
  show: (fresh: FreshOptions) => Record<string, unknown>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof OptionChanged ? refusalWith(error, show) : error
  }
}

/** Converts `OptionChanged` into the refusal for the response. */
export function refusalWith(
  { code, message, details, fresh }: OptionChanged,
  show: (fresh: FreshOptions) => Record<string, unknown>,
): Refusal {
  return new Refusal(code, message, { details: { ...details, options: show(fresh) } })
}
