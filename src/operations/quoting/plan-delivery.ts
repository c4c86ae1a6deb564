import type { Account } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import { ADDRESS_KIND_NAMES } from '../../domain/geo/address-kind.ts'
import { checkAvailability } from '../../domain/quoting/availability.ts'
import type { Decision } from '../../domain/quoting/decision.ts'
import { explainForRecord } from '../../domain/quoting/explanation.ts'
import type { Job } from '../../domain/quoting/job.ts'
import type { ResolvedDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { DELIVERY_TYPES, type DeliveryType, type Window } from '../../domain/values.ts'
import type { NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { decideAsking, toStreet } from './quote-delivery.ts'
import { keptOptions, optionChanged, type Redemption } from './quote-token/redeem-quote.ts'
import { getManifestStatus, toChosenOption } from './to-job.ts'

/** What a delivery starts from: the option it stands on, or its own couriers' window. */
export type Plan = Pick<NewDelivery, 'chosen' | 'carrier_provider' | 'manifest_status' | 'decision'> & {
  deliveryType: DeliveryType
  window: Window | null
  waitsForCourier: boolean
}

/** `excluded`: providers that the delivery was reassigned from. `redemption`: the quote to keep. */
export type Planning = { excluded?: readonly string[]; redemption?: Redemption | null }

/**
 * Decides a resolved delivery. Refuses `no_service_available`, naming each service's rule, and `option_changed` where
 * a quote can no longer be kept.
 */
export async function planDelivery(
  deps: Deps,
  entry: AccountEntry,
  resolved: ResolvedDelivery,
  planning: Planning = {},
): Promise<Plan> {
  return resolved.content.staffCourier
    ? ownNetworkPlan(deps, entry, resolved.job)
    : carrierPlan(deps, entry, resolved, planning)
}

/** A queued delivery is booked `lead_minutes` before it is ready, so that it can be amended until then. */
export function bookingDueMs(account: Account, readyMs: number, nowMs: number): number {
  return Math.max(nowMs, readyMs - account.booking.leadMinutes * 60_000)
}

/** What people read of a delivery that waits for the store's own courier; null where none is meant. */
export function waitingReason({ waitsForCourier }: Pick<Plan, 'waitsForCourier'>): string | null {
  return waitsForCourier ? 'Waiting for the staff courier to accept it.' : null
}

async function carrierPlan(
  deps: Deps,
  entry: AccountEntry,
  { job, content }: ResolvedDelivery,
  { excluded = [], redemption = null }: Planning,
): Promise<Plan> {
  const asking = { dynamic: content.useDynamicRfp, street: toStreet(content), excluded }
  const { decision, job: asked } = await decideAsking(deps, entry, job, asking)
  const record = JSON.stringify(explainForRecord(entry.account, asked, decision))
  const [option] = redemption ? keptOptions(redemption, decision) : decision.options
  if (!option) {
    if (!redemption) return unpricedPlan(decision, record)
    throw await optionChanged(deps, redemption, { job: asked, decision, asking })
  }
  return {
    chosen: toChosenOption(option, redemption?.token.hold.kind),
    carrier_provider: null,
    manifest_status: getManifestStatus(option.service),
    decision: record,
    deliveryType: option.service.type,
    window: option.window,
    waitsForCourier: false,
  }
}

/** Carriers that did not tell their price in time refuse nothing: the delivery waits, and is priced when it is booked. */
function unpricedPlan(decision: Decision, record: string): Plan {
  const awaited = decision.exclusions.find(({ mayComeLater }) => mayComeLater)
  if (!awaited) throw noServiceAvailable(decision)
  return {
    chosen: null,
    carrier_provider: null,
    manifest_status: getManifestStatus(awaited.service),
    decision: record,
    deliveryType: awaited.service.type,
    window: null,
    waitsForCourier: false,
  }
}

/** The store's own couriers: no price, no carrier, the account's own timing of the type. */
export function ownNetworkPlan(
  { notifier }: Pick<Deps, 'notifier'>,
  { account, nowMs }: Pick<AccountEntry, 'account' | 'nowMs'>,
  job: Job,
): Plan {
  if (account.mode === 'live' && notifier.sms === null) {
    const message =
      'Drover offers jobs to staff couriers by SMS, but no SMS gateway is set. Ask the operator of this installation to set one, or use a carrier (leave out use_staff_couriers).'
    throw new Refusal('no_service_available', message)
  }
  const { addressKind } = job.destination
  if (addressKind !== 'street') {
    const message = `The address is ${ADDRESS_KIND_NAMES[addressKind]}; staff couriers go to street addresses only. Give the street address, or leave out use_staff_couriers.`
    throw new Refusal('no_service_available', message)
  }
  const availability = checkAvailability(account, job, nowMs())
  const deliveryType = DELIVERY_TYPES.find((type) => availability.windows[type])
  if (!deliveryType) {
    const reasons = availability.exclusions.map(({ detail }) => detail).join(' ')
    throw new Refusal('no_service_available', `The store's couriers cannot deliver it. ${reasons}`.trim())
  }
  const { decidedAtMs, earliestPickupMs, warnings } = availability
  return {
    chosen: null,
    carrier_provider: null,
    manifest_status: 'not_required',
    decision: JSON.stringify({ decidedAtMs, earliestPickupMs, warnings, services: [] }),
    deliveryType,
    window: availability.windows[deliveryType] ?? null,
    waitsForCourier: true,
  }
}

/** Names the rule of each service. */
export function noServiceAvailable({ exclusions }: Pick<Decision, 'exclusions'>): Refusal {
  const reasons = exclusions.map(({ service, rule, detail }) => ({
    provider: service.provider,
    service: service.service,
    delivery_type: service.type,
    rule,
    detail,
  }))
  const sentence = reasons
    .map(({ provider, service, detail }) => `${provider} ${service}: ${detail}`)
    .join(' ')
  return new Refusal('no_service_available', `No carrier can take this delivery. ${sentence}`.trim(), {
    details: { exclusions: reasons },
  })
}
