import type { Store } from '../../domain/account/account.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Decision } from '../../domain/quoting/decision.ts'
import { boundJobOfDelivery } from '../../domain/quoting/quote-token.ts'
import { type ResolvedDelivery, resolveDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { refuse } from '../../domain/refuse.ts'
import type { DeliveryType } from '../../domain/values.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { createDeliveries, type NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { enqueueLinkBooked, useLink } from '../../store/links/links.ts'
import { newDelivery } from '../deliveries/create-delivery.ts'
import { newDeliveryAsDelivery } from '../deliveries/new-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, toResolveContext } from '../directory/caller.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { planDelivery } from '../quoting/plan-delivery.ts'
import { decideAsking, toStreet } from '../quoting/quote-delivery.ts'
import { type HeldByType, holdOptions } from '../quoting/quote-token/hold-options.ts'
import { readQuoteId, toRedemption } from '../quoting/quote-token/redeem-quote.ts'
import { bookedAt } from './create-link.ts'
import { type OpenLink, readAgain } from './open-link.ts'

export type LinkChoice = {
  deliveryType: DeliveryType
  /** Of the option that was shown; null: the current option of that type. */
  quoteId: string | null
  specialInstructions: string | null
  authorityToLeave: boolean | null
}

/** The holder of a link may act for its store and order only. */
const LINK_HOLDER: Caller = { clientId: 'link', scopes: new Set(), storeReferences: null }

/** The options that the link can book at this moment; each is held for a while. Refuses `link_used`. */
export async function linkOptions(
  deps: Pick<Deps, 'accounts' | 'carrierOf' | 'log' | 'secretKey'>,
  { entry, link }: OpenLink,
): Promise<{ decision: Decision; store: Store; held: HeldByType }> {
  if (link.deliveryId !== null) {
    throw new Refusal('link_used', 'This order’s delivery is already booked.')
  }
  const { under, resolved } = await resolveLink(deps, { entry, link }, bookedAt(link.request, entry.nowMs()))
  const { job, store, content } = resolved
  const asked = await decideAsking(deps, under, job, { dynamic: false, street: toStreet(content) })
  // The parcel is ready at whatever time it is booked.
  const bound = boundJobOfDelivery(content, { storeId: store.id, readyForPickupAtMs: null })
  const held = holdOptions({ deps, entry: under, bound, linkId: link.id }, asked.job, asked.decision)
  return { decision: asked.decision, store, held }
}

/**
 * Books the link's order. The link's use, the delivery and their events are one transaction, and the link's own row
 * decides between concurrent attempts. All but the first get the delivery that the first one booked.
 *
 * Refuses `option_changed` if the shown option is no longer available, `no_service_available` if a bare type is not,
 * and `duplicate_reference` if the order got a delivery in another way; then the link can still be used.
 */
export async function bookLink(
  deps: Deps,
  open: OpenLink,
  choice: LinkChoice,
): Promise<{ delivery: Delivery; first: boolean }> {
  const booked = await bookedBy(deps, open)
  if (booked) return { delivery: booked, first: false }

  const { entry, link } = open
  const request = { ...bookedAt(link.request, entry.nowMs()), ...applyChoice(open, choice) }
  const brought = readQuoteId({ deps, entry, linkId: link.id }, choice.quoteId)
  if (brought && 'issue' in brought) refuse([brought.issue])
  const { under, resolved } = await resolveLink(deps, open, request)
  await refuseCutLabel(under.account, link.reference, resolved)
  const redemption = toRedemption({ deps, entry: under, linkId: link.id }, brought, resolved, request)
  const plan = await planDelivery(deps, under, resolved, { redemption }).catch(hideReasons)
  const answer = () => ({ status: 201, headers: {}, body: '' })
  const made = newDelivery(deps, under, link.reference, resolved, plan, false, { idempotency: null, answer })
  if (await take(deps, open, made)) {
    deps.wake()
    return { delivery: newDeliveryAsDelivery(made), first: true }
  }
  const delivery = await bookedBy(deps, await readAgain(deps, open))
  if (!delivery) throw new Error(`Link ${link.id} could neither be taken nor is it taken.`)
  return { delivery, first: false }
}

/** The delivery that was booked by the link; null before that. */
export async function bookedBy(deps: Deps, { link }: OpenLink): Promise<Delivery | null> {
  const row = link.deliveryId === null ? null : await findDelivery(deps.db, link.accountId, link.deliveryId)
  return row && toDelivery(row)
}

/** False: another request has used the link first, or the link has just ended; nothing was created. */
async function take(deps: Deps, { entry, link }: OpenLink, made: NewDelivery): Promise<boolean> {
  const { delivery_id: deliveryId, created_at: atMs } = made
  try {
    return await withTransaction(deps.db, async (db) => {
      const done = await createDeliveries(db, [made])
      // Another request's delivery of the same order: most likely by this very link.
      if (!done.has(deliveryId)) throw new Taken()
      if (!(await useLink(db, link, { deliveryId, atMs, offset: entry.clockOffsetMs }))) throw new Ended()
      await enqueueLinkBooked(db, link, { deliveryId, eventId: deps.newId('evt'), atMs })
      return true
    })
  } catch (error) {
    if (error instanceof Ended) return false
    if (!(error instanceof Taken)) throw error
    if ((await readAgain(deps, { entry, link })).link.deliveryId !== null) return false
    throw new Refusal('duplicate_reference', 'This order already has a delivery. Ask the store.')
  }
}

class Taken extends Error {}
class Ended extends Error {}

function applyChoice({ link: { request } }: OpenLink, choice: LinkChoice) {
  return {
    deliveryType: choice.deliveryType,
    specialInstructions: choice.specialInstructions ?? request.specialInstructions,
    authorityToLeave: choice.authorityToLeave ?? request.authorityToLeave,
  }
}

type Resolved = { under: AccountEntry; resolved: ResolvedDelivery }

/**
 * The link's order under the current account version; if that version no longer has something that the link uses, under
 * the version that the link was created under. The type is the customer's choice: the current options decide whether it
 * is available.
 */
async function resolveLink(
  deps: Pick<Deps, 'accounts'>,
  { entry, link }: OpenLink,
  request: DeliveryRequest,
): Promise<Resolved> {
  const { deliveryType } = request
  for await (const under of accountVersions(deps, entry, link)) {
    const resolved = resolveDelivery(
      under.account,
      { ...request, deliveryType: null },
      toResolveContext(under, LINK_HOLDER),
    )
    if ('issues' in resolved) continue
    const job = { ...resolved.job, deliveryType }
    const content = { ...resolved.content, requestedType: deliveryType }
    return { under, resolved: { ...resolved, job, content } }
  }
  throw new Refusal('no_service_available', 'This order can no longer be delivered from here. Ask the store.')
}

async function* accountVersions(
  { accounts }: Pick<Deps, 'accounts'>,
  entry: AccountEntry,
  { accountId, accountVersion }: OpenLink['link'],
): AsyncGenerator<AccountEntry> {
  yield entry
  if (accountVersion === null || accountVersion === entry.account.version) return
  yield { ...entry, account: await accounts.atVersion(accountId, accountVersion) }
}

/** The carriers' refusal reasons are for the store, not for its customers. */
function hideReasons(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'no_service_available') throw error
  throw new Refusal('no_service_available', 'That option is no longer available. Choose another one.')
}
