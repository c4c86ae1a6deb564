import type { Account } from '../domain/account/account.ts'
import type { Delivery } from '../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../domain/delivery/request.ts'
import { Refusal } from '../domain/errors.ts'
import { checkAvailability } from '../domain/quoting/availability.ts'
import { decide } from '../domain/quoting/decide.ts'
import type { Decision } from '../domain/quoting/decision.ts'
import { explain } from '../domain/quoting/explanation.ts'
import type { ResolvedDelivery } from '../domain/quoting/resolve-delivery.ts'
import { DELIVERY_TYPES, type DeliveryType, type Window } from '../domain/values.ts'
import type { NewDelivery } from '../store/create-deliveries.ts'
import type { StoredAnswer } from '../store/idempotency.ts'
import { isUniqueViolation } from '../store/shared-create.ts'
import type { AccountEntry } from './account-directory.ts'
import { answerTakenReference } from './answer-taken-reference.ts'
import { bookCreated } from './book-created.ts'
import type { Caller } from './caller.ts'
import { chosenOf, manifestStatusOf } from './chosen-option.ts'
import type { Deps } from './deps.ts'
import { newDeliveryAsDelivery } from './new-delivery.ts'
import { decideDynamically } from './quote-delivery.ts'
import { resolveDeliveryOrRefuse } from './resolve-delivery.ts'

export type CreateOptions = {
  idempotency: { key: string; fingerprint: Buffer } | null
  /** The answer to a delivery, stored with its key as it goes out. */
  answer(delivery: Delivery): StoredAnswer
}

export type Created = { kind: 'created'; answer: StoredAnswer } | { kind: 'replay'; answer: StoredAnswer }

/**
 * Creates a delivery: resolve, decide, then one statement that makes the delivery, its first events and its
 * idempotency key, so that none exists without the others. It is answered only after the commit.
 *
 * Refuses `invalid_request`, `no_service_available` (naming each service's rule) and `duplicate_reference`;
 * a repeated key is answered again as the first time.
 */
export async function createDelivery(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  request: DeliveryRequest,
  options: CreateOptions,
): Promise<Created> {
  const resolved = resolveDeliveryOrRefuse(entry, caller, request)
  const plan = request.useStaffCouriers
    ? ownNetworkPlan(entry, resolved)
    : await carrierPlan(deps, entry, resolved, request.useDynamicRfp)
  const bookNow = request.bookDeliveryNow && !request.useStaffCouriers
  const made = newDelivery(deps, entry, request.reference, resolved, plan, bookNow, options)

  const claimedAtMs = performance.now()
  if (!(await insert(deps, made))) return answerTakenReference(deps, entry, made, options)
  if (bookNow) return bookCreated(deps, entry, made, claimedAtMs, options)

  if (made.due_at !== null && made.due_at <= entry.nowMs()) deps.wake()
  const answer = made.idempotency?.answer ?? options.answer(newDeliveryAsDelivery(made))
  return { kind: 'created', answer }
}

/** False: the reference or the key is taken, and nothing was made. */
async function insert(deps: Deps, made: NewDelivery): Promise<boolean> {
  try {
    return await deps.createDelivery(made)
  } catch (error) {
    if (made.idempotency && isUniqueViolation(error)) return false
    throw error
  }
}

/** What a new delivery starts from: the option it stands on, or its own couriers' window. */
type Plan = Pick<NewDelivery, 'chosen' | 'carrier_provider' | 'manifest_status' | 'decision'> & {
  deliveryType: DeliveryType
  window: Window | null
  waitsForCourier: boolean
}

async function carrierPlan(
  deps: Deps,
  entry: AccountEntry,
  { job }: ResolvedDelivery,
  dynamic: boolean,
): Promise<Plan> {
  const decision = dynamic
    ? (await decideDynamically(deps, entry, job)).decision
    : decide(entry.account, job, entry.nowMs())
  const [option] = decision.options
  if (!option) throw noServiceAvailable(decision)
  return {
    chosen: chosenOf(option),
    carrier_provider: null,
    manifest_status: manifestStatusOf(option.service),
    decision: JSON.stringify(explain(decision)),
    deliveryType: option.service.type,
    window: option.window,
    waitsForCourier: false,
  }
}

/** The store's own couriers: no price, no carrier, the account's own timing of the type. */
function ownNetworkPlan({ account, nowMs }: AccountEntry, { job }: ResolvedDelivery): Plan {
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

function noServiceAvailable({ exclusions }: Decision): Refusal {
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

function newDelivery(
  deps: Deps,
  { account, nowMs }: AccountEntry,
  reference: string,
  { content, store, readyForPickupAtMs }: ResolvedDelivery,
  plan: Plan,
  bookNow: boolean,
  options: CreateOptions,
): NewDelivery {
  const now = nowMs()
  const made: NewDelivery = {
    account_id: account.id,
    delivery_id: deps.newId('dlv'),
    store_id: store.id,
    brand_id: store.brand.id,
    reference,
    status_reason: plan.waitsForCourier ? 'Waiting for the staff courier to accept it.' : null,
    content,
    delivery_type: plan.deliveryType,
    chosen: plan.chosen,
    decision: plan.decision,
    window_from: plan.window?.fromMs ?? null,
    window_to: plan.window?.toMs ?? null,
    ready_for_pickup_at: readyForPickupAtMs,
    carrier_provider: plan.carrier_provider,
    manifest_status: plan.manifest_status,
    account_version: account.version,
    created_at: now,
    due_at: plan.waitsForCourier ? null : firstDueMs(account, readyForPickupAtMs, now, bookNow),
    createdEventId: deps.newId('evt'),
    requestedEventId: deps.newId('evt'),
    leaseMs: bookNow ? deps.leaseMs : 0,
    idempotency: null,
  }
  if (!options.idempotency) return made
  const answer = bookNow ? null : options.answer(newDeliveryAsDelivery(made))
  return { ...made, idempotency: { ...options.idempotency, answer } }
}

/** A queued delivery is booked `lead_minutes` before it is ready, so that it can be amended until then. */
function firstDueMs(account: Account, readyMs: number, nowMs: number, bookNow: boolean): number {
  if (bookNow) return nowMs
  return Math.max(nowMs, readyMs - account.booking.leadMinutes * 60_000)
}
