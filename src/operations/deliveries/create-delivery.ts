import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import type { Issue } from '../../domain/errors.ts'
import { offerEndsMs } from '../../domain/own-network/job.ts'
import { numberIssues, type ResolvedDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { currentSpan, currentTraceparent } from '../../observability/tracing/current.ts'
import { isUniqueViolation } from '../../store/db/db.ts'
import {
  abandonKeyOfDelivery,
  answerKeyOfDelivery,
  findAbandonedDelivery,
  type NewDelivery,
} from '../../store/deliveries/create-deliveries.ts'
import { findDelivery, listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { freeKey, readKey, type StoredAnswer } from '../../store/deliveries/idempotency.ts'
import { type Act, auditRow } from '../audit/audit.ts'
import { bookWithin } from '../bookings/book-now.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { idempotencyConflict } from '../idempotency/idempotency-conflict.ts'
import { createWithOffer } from '../own-couriers/offer-job.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { bookingDueMs, type Plan, planDelivery, waitingReason } from '../quoting/plan-delivery.ts'
import {
  type Brought,
  explainLostHold,
  type OptionChanged,
  type Redemption,
  readQuoteId,
  toRedemption,
} from '../quoting/quote-token/redeem-quote.ts'
import { resolveDeliveryOrRefuse } from '../quoting/resolve-delivery.ts'
import { newDeliveryAsDelivery, toNewRow } from './new-delivery.ts'
import { referenceTaken } from './reference-taken.ts'

export type CreateOptions = {
  idempotency: { key: string; fingerprint: Buffer } | null
  /** Makes the response, which is stored with the idempotency key. */
  answer(delivery: Delivery): StoredAnswer
  /** Id of a quote whose price must hold. */
  quoteId?: string | null
  /** The response if a carrier refused the quoted price after the delivery was created. */
  refused?(changed: OptionChanged): StoredAnswer
  /** The actor, for the audit log; absent if another audit row covers the request. */
  act?: Act
}

export type Created = { kind: 'created'; answer: StoredAnswer } | { kind: 'replay'; answer: StoredAnswer }

/**
 * Creates a delivery: resolve, decide, then one statement that inserts the delivery, its first events and its
 * idempotency key, so that none of them exists without the others. The response is sent only after the commit.
 *
 * Refuses `invalid_request`, `no_service_available` (naming each service's rule), `option_changed` and
 * `duplicate_reference`; a repeated key gets the first response again.
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
  await refuseCutLabel(entry.account, request.reference, resolved)
  const redemption = toRedemption(of, brought, resolved, request)
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

/** The issues of a `quote_id`, in any kind of request. */
function quoteIssues(brought: Brought, { useStaffCouriers }: DeliveryRequest): Issue[] {
  if (brought === null) return []
  const issues = 'issue' in brought ? [brought.issue] : []
  if (!useStaffCouriers) return issues
  const message =
    'quote_id holds a carrier’s price, and use_staff_couriers uses no carrier. Leave one of them out.'
  return [...issues, { field: 'quote_id', issue: 'conflict', message }]
}

/** False: the reference or the key is already used, and nothing was created. */
async function insert(deps: Deps, entry: AccountEntry, made: NewDelivery): Promise<boolean> {
  const { account_id: accountId, idempotency } = made
  const done = await insertOnce(deps, entry, made)
  // A key that has expired, or that was left by a process that crashed while refusing the request, is freed and does
  // not block the insert.
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

/**
 * The delivery to insert: the queue books it when it is due or, with `bookNow`, this request does so under its own
 * lease.
 */
export function newDelivery(
  deps: Deps,
  { account, nowMs }: AccountEntry,
  reference: string,
  { content, store, readyForPickupAtMs }: ResolvedDelivery,
  plan: Plan,
  bookNow: boolean,
  options: CreateOptions | { idempotency: null; act?: Act },
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
    traceparent: currentTraceparent(),
  }
  if (options.act) {
    made.audit = auditRow(deps, options.act, { accountId: account.id, object: made.delivery_id })
  }
  if (options.idempotency === null) return made
  const answer = bookNow ? null : options.answer(newDeliveryAsDelivery(made))
  return { ...made, idempotency: { ...options.idempotency, answer } }
}

/**
 * Books a delivery that was just created, under this request's own lease, and stores the response with its key. If that
 * fails (the database is unavailable), a repeat of the request gets the delivery in its current state.
 */
export async function bookCreated(
  deps: Deps,
  entry: AccountEntry,
  made: NewDelivery,
  claimedAtMs: number,
  options: CreateOptions & { redemption: Redemption | null },
): Promise<Created> {
  const { idempotency, redemption } = options
  const key = idempotency && {
    accountId: made.account_id,
    key: idempotency.key,
    deliveryId: made.delivery_id,
  }
  try {
    const delivery = await bookWithin(deps, entry, toNewRow(made), { claimedAtMs, attempts: [] })
    const lost = redemption && (await explainLostHold(deps, redemption, delivery.id))
    const answer = lost && options.refused ? options.refused(lost) : options.answer(delivery)
    if (key) await answerKeyOfDelivery(deps.db, key, answer)
    return { kind: 'created', answer }
  } catch (error) {
    if (key) await abandonKeyOfDelivery(deps.db, key).catch(() => undefined)
    throw error
  }
}

/**
 * Answers a create that inserted nothing. A repeated key gets its first response again; a key whose first request
 * crashed half way gets the delivery in its current state; all others get `duplicate_reference`. If neither the key nor
 * the reference is found any more, a concurrent request has just removed it or is about to commit:
 * `idempotency_in_progress`.
 */
export async function answerDuplicateReference(
  deps: Deps,
  { account }: AccountEntry,
  made: NewDelivery,
  options: CreateOptions,
): Promise<Created> {
  const repeated = options.idempotency && (await answerRepeatedKey(deps, account.id, options))
  if (repeated) return repeated

  const [existing] = await listDeliveriesByReference(deps.db, account.id, made.reference, [made.store_id])
  if (!existing && options.idempotency)
    throw idempotencyConflict({ kind: 'in_progress', retryAfterSeconds: 1 })
  const { store_id: storeId, reference } = made
  throw await referenceTaken(deps, { accountId: account.id, storeId, reference }, existing)
}

async function answerRepeatedKey(
  deps: Deps,
  accountId: string,
  options: CreateOptions,
): Promise<Created | null> {
  if (!options.idempotency) return null
  const request = { accountId, ...options.idempotency }
  const abandoned = await findAbandonedDelivery(deps.db, request)
  const row = abandoned && (await findDelivery(deps.db, accountId, abandoned))
  if (row) {
    const answer = options.answer(toDelivery(row))
    await answerKeyOfDelivery(deps.db, { accountId, key: request.key, deliveryId: row.delivery_id }, answer)
    return { kind: 'created', answer }
  }

  const claim = await readKey(deps.db, request)
  if (claim?.kind === 'replay') return claim
  if (claim) throw idempotencyConflict(claim)
  return null
}
