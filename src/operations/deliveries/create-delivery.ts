import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import type { Issue } from '../../domain/errors.ts'
import { offerEndsMs } from '../../domain/own-network/job.ts'
import type { ResolvedDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { numberIssues } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { currentCause, currentSpan } from '../../observability/tracing/current.ts'
import { isUniqueViolation } from '../../store/db/db.ts'
import type { NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import { freeKey, type StoredAnswer } from '../../store/deliveries/idempotency.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import { type Act, auditRow } from '../context/audit.ts'
import type { Caller } from '../context/caller.ts'
import type { Deps } from '../context/deps.ts'
import { createWithOffer } from '../own-couriers/offer-job.ts'
import { bookingDueMs, type Plan, planDelivery, waitingReason } from '../quoting/plan-delivery.ts'
import { type Brought, type OptionChanged, readQuoteId, redemptionOf } from '../quoting/redeem-quote.ts'
import { resolveDeliveryOrRefuse } from '../quoting/resolve-delivery.ts'
import { bookCreated } from './book-created.ts'
import { answerDuplicateReference } from './duplicate-reference.ts'
import { newDeliveryAsDelivery } from './new-delivery.ts'

export type CreateOptions = {
  idempotency: { key: string; fingerprint: Buffer } | null
  /** The answer to a delivery, stored with its key as it goes out. */
  answer(delivery: Delivery): StoredAnswer
  /** Of a quote that is to be held. */
  quoteId?: string | null
  /** The answer where a carrier refused what the quote had promised, after the delivery was made. */
  refused?(changed: OptionChanged): StoredAnswer
  /** Whose doing it is, for the audit log; absent where another row tells of it. */
  act?: Act
}

export type Created = { kind: 'created'; answer: StoredAnswer } | { kind: 'replay'; answer: StoredAnswer }

/**
 * Creates a delivery: resolve, decide, then one statement that makes the delivery, its first events and its
 * idempotency key, so that none exists without the others. It is answered only after the commit.
 *
 * Refuses `invalid_request`, `no_service_available` (naming each service's rule), `option_changed` and
 * `duplicate_reference`;
 * a repeated key is answered again as the first time.
 */
export async function createDelivery(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  request: DeliveryRequest,
  options: CreateOptions,
): Promise<Created> {
  const of = { deps, entry, linkId: null }
  const brought = readQuoteId(of, options.quoteId ?? null)
  const resolved = resolveDeliveryOrRefuse(entry, caller, request, [
    ...quoteIssues(brought, request),
    ...numberIssues(entry.account, request),
  ])
  const redemption = redemptionOf(of, brought, resolved, request)
  const plan = await planDelivery(deps, entry, resolved, { redemption })
  const bookNow = request.bookDeliveryNow && !request.useStaffCouriers
  const made = newDelivery(deps, entry, request.reference, resolved, plan, bookNow, options)

  currentSpan()?.set({ 'drover.delivery.id': made.delivery_id })
  const claimedAtMs = performance.now()
  if (!(await insert(deps, entry, made))) return answerDuplicateReference(deps, entry, made, options)
  if (bookNow) return bookCreated(deps, entry, made, claimedAtMs, { ...options, redemption })

  // The courier's SMS is due too.
  if (made.content.staffCourier || (made.due_at !== null && made.due_at <= entry.nowMs())) deps.wake()
  const answer = made.idempotency?.answer ?? options.answer(newDeliveryAsDelivery(made))
  return { kind: 'created', answer }
}

/** What is wrong with a `quote_id` in whatever request. */
function quoteIssues(brought: Brought, { useStaffCouriers }: DeliveryRequest): Issue[] {
  if (brought === null) return []
  const issues = 'issue' in brought ? [brought.issue] : []
  if (!useStaffCouriers) return issues
  const message =
    'quote_id holds a carrier’s price, and use_staff_couriers uses no carrier. Leave one of them out.'
  return [...issues, { field: 'quote_id', issue: 'conflict', message }]
}

/** False: the reference or the key is taken, and nothing was made. */
async function insert(deps: Deps, entry: AccountEntry, made: NewDelivery): Promise<boolean> {
  const { account_id: accountId, idempotency } = made
  const done = await insertOnce(deps, entry, made)
  // Too old, or left by a process that died over a refusal: such a key is in nobody's way.
  if (done !== 'key_taken' || !idempotency || !(await freeKey(deps.db, { accountId, ...idempotency })))
    return done === 'made'
  return (await insertOnce(deps, entry, made)) === 'made'
}

async function insertOnce(
  deps: Deps,
  entry: AccountEntry,
  made: NewDelivery,
): Promise<'made' | 'reference_taken' | 'key_taken'> {
  const { staffCourier } = made.content
  try {
    const done = await (staffCourier ? createWithOffer(deps, entry, made) : deps.createDelivery(made))
    return done ? 'made' : 'reference_taken'
  } catch (error) {
    if (made.idempotency && isUniqueViolation(error)) return 'key_taken'
    throw error
  }
}

/** The delivery about to be made, booked by the queue in its time or, with `bookNow`, under this request's own lease. */
export function newDelivery(
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
    status_reason: waitingReason(plan),
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
    due_at: plan.waitsForCourier
      ? offerEndsMs(account, now)
      : bookNow
        ? now
        : bookingDueMs(account, readyForPickupAtMs, now),
    createdEventId: deps.newId('evt'),
    requestedEventId: deps.newId('evt'),
    leaseMs: bookNow ? deps.leaseMs : 0,
    idempotency: null,
    audit: null,
    cause: currentCause(),
  }
  if (options.act) {
    made.audit = auditRow(deps, options.act, { accountId: account.id, object: made.delivery_id })
  }
  if (!options.idempotency) return made
  const answer = bookNow ? null : options.answer(newDeliveryAsDelivery(made))
  return { ...made, idempotency: { ...options.idempotency, answer } }
}
