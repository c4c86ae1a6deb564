import type { Account, Store } from '../../../domain/account/account.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { type Issue, Refusal } from '../../../domain/errors.ts'
import type { Decision, Option } from '../../../domain/quoting/decision.ts'
import { explainForRecord } from '../../../domain/quoting/explanation.ts'
import type { Job } from '../../../domain/quoting/job.ts'
import { boundFields, boundJobOfDelivery, heldOptions } from '../../../domain/quoting/quote-token.ts'
import type { ResolvedDelivery } from '../../../domain/quoting/resolve/resolve-delivery.ts'
import { refuse } from '../../../domain/refuse.ts'
import type { DeliveryType } from '../../../domain/values.ts'
import { listIntents } from '../../../store/deliveries/booking-intents.ts'
import { findDelivery } from '../../../store/deliveries/deliveries.ts'
import type { DeliveryPatch } from '../../../store/deliveries/delivery-change.ts'
import { type DeliveryRow, toDelivery } from '../../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../../deps.ts'
import type { AccountEntry } from '../../directory/account-directory.ts'
import { withoutRefused } from '../decide-now.ts'
import { type Asking, decideAsking, toStreet } from '../quote-delivery.ts'
import { getManifestStatus, toChosenOption, toJob } from '../to-job.ts'
import { type HeldByType, type Holding, holdOptions } from './hold-options.ts'
import { openQuoteToken, type QuoteToken, type TokenPlace, toDigests } from './quote-token.ts'

/** A token from a request, with the input for new options if the promise can no longer be kept. */
export type Redemption = { token: QuoteToken; holding: Holding }

/** The other fields of a request, to compare with the token's own option. */
export type Chosen = { deliveryType: DeliveryType | null; pin: Job['pin']; namesStoreById: boolean }

export type FreshOptions = { account: Account; store: Store; decision: Decision; held: HeldByType }

/** The promise can no longer be kept: with the options of now. The endpoint says how they are written. */
export class OptionChanged extends Refusal {
  readonly fresh: FreshOptions

  constructor(message: string, fresh: FreshOptions, details: Record<string, unknown> = {}) {
    super('option_changed', message, { details })
    this.fresh = fresh
  }
}

/** The token of a `quote_id` beside a request; nothing where none came. */
export type Brought = { token: QuoteToken } | { issue: Issue } | null

/** The token of a `quote_id`, or why it is none: garbage, cut short, of another account, link or installation. */
export function readQuoteId(
  { deps, entry, linkId }: Omit<Holding, 'bound'>,
  quoteId: string | null,
): Brought {
  if (quoteId === null) return null
  const place = { secretKey: deps.secretKey, accountId: entry.account.id, linkId }
  const token = openQuoteToken(place, quoteId)
  if (token) return { token }
  const whose = linkId === null ? 'this account' : 'this link'
  const message = `quote_id is incomplete, or Drover did not issue it for ${whose}. Send it exactly as you received it, or quote again.`
  return { issue: { field: 'quote_id', issue: 'invalid_value', message } }
}

/**
 * The quote that a resolved delivery is to be held to; null without one. Refuses `invalid_request` with each field that
 * is not what was quoted.
 */
export function toRedemption(
  { deps, entry, linkId }: Omit<Holding, 'bound'>,
  brought: Brought,
  { content, store, readyForPickupAtMs, job }: ResolvedDelivery,
  named: { storeId: string | null },
): Redemption | null {
  if (brought === null || 'issue' in brought) return null
  // What is booked by a link waits at the store: it is ready whenever it is booked.
  const readyMs = linkId === null ? readyForPickupAtMs : null
  const bound = boundJobOfDelivery(content, { storeId: store.id, readyForPickupAtMs: readyMs })
  const redemption = { token: brought.token, holding: { deps, entry, bound, linkId } }
  const chosen = { deliveryType: job.deliveryType, pin: job.pin, namesStoreById: named.storeId !== null }
  const issues = listMismatches(redemption, chosen)
  return issues.length > 0 ? refuse(issues) : redemption
}

/** Each field that differs from what was quoted. `whose`: `The delivery’s ` where the request sends none of them. */
export function listMismatches(
  { token, holding }: Redemption,
  { deliveryType, pin, namesStoreById }: Chosen,
  whose = '',
): Issue[] {
  const { hold, bound } = token
  const now = toDigests(toTokenPlace(holding), boundFields(holding.bound))
  const issues = boundFields(holding.bound).flatMap(({ field }, index) => {
    if (bound[index] === null || bound[index] === now[index]) return []
    return [mismatch(field === 'store_reference' && namesStoreById ? 'store_id' : field, whose)]
  })
  if (deliveryType !== null && deliveryType !== hold.deliveryType) {
    const message = `${whose}delivery_type is ${deliveryType}, and the quote_id is for ${hold.deliveryType}. Leave delivery_type out, or send a quote_id for ${deliveryType}.`
    issues.push({ field: 'delivery_type', issue: 'conflict', message })
  }
  const isPinnedElsewhere =
    hold.kind === 'option' &&
    pin !== null &&
    ((pin.provider !== null && pin.provider !== hold.provider) ||
      (pin.service !== null && pin.service !== hold.service))
  if (isPinnedElsewhere) {
    const message = `${whose}provider_options names another service than the quote_id does. Leave provider_options out, or quote with them.`
    issues.push({ field: 'provider_options', issue: 'conflict', message })
  }
  return issues
}

/** The options of a fresh decision that keep the promise, in booking order; empty once its time is over. */
export function keptOptions({ token, holding }: Redemption, decision: Decision): Option[] {
  const wallMs = Date.now()
  const isOver = wallMs > token.untilMs || holding.entry.nowMs() > token.keptUntilMs
  return isOver ? [] : heldOptions(decision, token.hold, wallMs)
}

/** Why it is refused, with the options of every type as they are now. */
export async function optionChanged(
  deps: Deps,
  { token, holding }: Redemption,
  { job, decision, asking }: { job: Job; decision: Decision; asking: Asking },
): Promise<OptionChanged> {
  const isOver = Date.now() > token.untilMs
  const message = isOver
    ? 'The quote has expired. Choose one of the options that are available now.'
    : 'The quoted price or time is no longer available. Choose one of the options that are available now.'
  return new OptionChanged(message, await freshOptions(deps, holding, { job, decision, asking }))
}

export async function freshOptions(
  deps: Deps,
  holding: Holding,
  { job, decision, asking }: { job: Job; decision: Decision; asking: Asking },
): Promise<FreshOptions> {
  const { account } = holding.entry
  const open = { ...job, deliveryType: null }
  const fresh =
    job.deliveryType === null ? { decision, job } : await decideAsking(deps, holding.entry, open, asking)
  const held = holdOptions(holding, fresh.job, fresh.decision)
  return { account, store: job.store, decision: fresh.decision, held }
}

function toTokenPlace({ deps, entry, linkId }: Holding): TokenPlace {
  return { secretKey: deps.secretKey, accountId: entry.account.id, linkId }
}

function mismatch(field: string, whose: string): Issue {
  const remedy = whose === '' ? 'Send the value that was quoted' : 'Amend the delivery'
  const message = `${whose}${field} differs from the quote. ${remedy}, or quote again and send the new quote_id.`
  return { field, issue: 'conflict', message }
}

/**
 * Binds a delivery without a carrier to a quote, under the account version that the quote was decided with. Returns
 * the option that the delivery then has. Refuses `invalid_request` with each field in which the delivery differs from the quote, and
 * `option_changed`.
 */
export async function redeemForDelivery(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  quoteId: string,
): Promise<{ redemption: Redemption; patch: DeliveryPatch }> {
  const account = await deps.accounts.atVersion(row.account_id, row.account_version)
  const under = { ...entry, account }
  const redemption = redemptionFor(deps, under, toDelivery(row), quoteId)

  const asking = {
    dynamic: row.content.useDynamicRfp,
    street: toStreet(row.content),
    excluded: row.status === 'on_hold' ? [] : row.excluded_providers,
  }
  const { decision, job } = await decideAsking(deps, under, toJob(account, toDelivery(row)), asking)
  const [option] = keptOptions(redemption, decision)
  if (!option) throw await optionChanged(deps, redemption, { job, decision, asking })
  const patch = {
    chosen: toChosenOption(option, redemption.token.hold.kind),
    delivery_type: option.service.type,
    window_from: option.window.fromMs,
    window_to: option.window.toMs,
    manifest_status: getManifestStatus(option.service),
    decision: JSON.stringify(explainForRecord(account, job, decision)),
    decided_at: entry.nowMs(),
  }
  return { redemption, patch }
}

function redemptionFor(deps: Deps, entry: AccountEntry, delivery: Delivery, quoteId: string): Redemption {
  const of = { deps, entry, linkId: null }
  const brought = readQuoteId(of, quoteId)
  if (!brought || 'issue' in brought) return refuse(brought ? [brought.issue] : [])
  const { content, storeId, readyForPickupAtMs } = delivery
  const bound = boundJobOfDelivery(content, { storeId, readyForPickupAtMs })
  const redemption = { token: brought.token, holding: { ...of, bound } }
  const chosen = { deliveryType: content.requestedType, pin: content.providerOptions, namesStoreById: false }
  const issues = listMismatches(redemption, chosen, 'The delivery’s ')
  return issues.length > 0 ? refuse(issues) : redemption
}

/**
 * After a booking that a caller waited for: if the carrier refused what a quote had promised, so that the delivery waits
 * on hold for another choice, the refusal with the remaining options. Otherwise null: an unknown outcome is not a
 * refusal.
 */
export async function explainLostHold(
  deps: Deps,
  { holding }: Redemption,
  deliveryId: string,
): Promise<OptionChanged | null> {
  const { account } = holding.entry
  const row = await findDelivery(deps.db, account.id, deliveryId)
  if (row?.status !== 'on_hold' || row.pending_attempt !== null || !row.chosen?.held) return null
  const job = { ...toJob(account, toDelivery(row)), deliveryType: null }
  const asking = { dynamic: row.content.useDynamicRfp, street: toStreet(row.content) }
  const [asked, intents] = await Promise.all([
    decideAsking(deps, holding.entry, job, asking),
    listIntents(deps.db, account.id, deliveryId),
  ])
  const decision = withoutRefused(asked.decision, row, intents)
  const held = holdOptions(holding, asked.job, decision)
  const fresh = { account, store: job.store, decision, held }
  return new OptionChanged(row.status_reason ?? 'The carrier refused it.', fresh, { delivery_id: deliveryId })
}
