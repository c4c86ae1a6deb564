import type { Amendment } from '../../domain/delivery/amend.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import { boundJobOfDelivery } from '../../domain/quoting/quote-token.ts'
import { numberIssues } from '../../domain/quoting/resolve/resolve-delivery.ts'
import type { Window } from '../../domain/values.ts'
import { listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { refuseUnlessBookable } from '../bookings/book-now.ts'
import { refuseUnlessReassignable } from '../bookings/reassign-delivery.ts'
import { OURS, refuseUnlessCancellable } from '../bookings/request-cancel.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { decideWithoutCurrentCarrier } from '../quoting/decide-now.ts'
import { noServiceAvailable } from '../quoting/plan-delivery.ts'
import { decideAsking, type Quoted, toStreet } from '../quoting/quote-delivery.ts'
import { type Held, type Holding, holdOptions } from '../quoting/quote-token/hold-options.ts'
import { resolveDeliveryOrRefuse } from '../quoting/resolve-delivery.ts'
import { toJob } from '../quoting/to-job.ts'
import { planAmendment } from './amend-delivery.ts'
import { referenceTaken } from './reference-taken.ts'

/** The service that a change leads to. */
export type Target = {
  provider: string
  carrierName: string
  service: string
  priceCents: number
  window: Window
}

/** The delivery as it is now. */
export type Before = Pick<
  Delivery,
  'id' | 'storeId' | 'reference' | 'status' | 'chosen' | 'consignmentNumber'
> & { contentVersion: number }

/** `before`: null for a delivery that does not exist yet. */
export type HeldPreview = { before: Before | null; storeId: string; target: Target; held: Held }
export type Preview = { before: Before; target: Target | null }

/**
 * What creating the delivery would lead to, with a quote that holds the price. Stores nothing. Refuses as
 * `createDelivery`, and `no_service_available` if the carriers’ prices are not known now.
 */
export async function previewCreate(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  request: DeliveryRequest,
): Promise<HeldPreview> {
  const { account } = entry
  const resolved = resolveDeliveryOrRefuse(entry, caller, request, numberIssues(account, request))
  await refuseCutLabel(account, request.reference, resolved)
  const { content, store, readyForPickupAtMs, job } = resolved
  const { reference } = request
  const [existing] = await listDeliveriesByReference(deps.db, account.id, reference, [store.id])
  if (existing)
    throw await referenceTaken(deps, { accountId: account.id, storeId: store.id, reference }, existing)
  const asking = { dynamic: content.useDynamicRfp, street: toStreet(content) }
  const quoted = await decideAsking(deps, entry, job, asking)
  const bound = boundJobOfDelivery(content, { storeId: store.id, readyForPickupAtMs })
  return {
    before: null,
    storeId: store.id,
    ...holdFirst(quoted, { deps, entry, bound, linkId: null }),
  }
}

/** What booking the delivery now would lead to, with a quote that holds the price. Refuses as `bookNow`. */
export async function previewBooking(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<HeldPreview> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  refuseUnlessBookable(row, entry.nowMs(), 'held_option')
  const under = { ...entry, account: await deps.accounts.atVersion(row.account_id, row.account_version) }
  const { content, store_id: storeId, ready_for_pickup_at: readyForPickupAtMs } = row
  const quoted = await decideAsking(deps, under, toJob(under.account, toDelivery(row)), {
    dynamic: content.useDynamicRfp,
    street: toStreet(content),
    excluded: row.status === 'on_hold' ? [] : row.excluded_providers,
  })
  const bound = boundJobOfDelivery(content, { storeId, readyForPickupAtMs })
  return { before: toBefore(row), storeId, ...holdFirst(quoted, { deps, entry: under, bound, linkId: null }) }
}

/** The carrier that a reassignment would ask first. Refuses as `reassignDelivery`. */
export async function previewReassign(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<Preview> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  refuseUnlessReassignable(row, entry.nowMs())
  const decision = await decideWithoutCurrentCarrier(deps, entry, row)
  const [option] = decision.options
  if (!option) throw noServiceAvailable(decision)
  return { before: toBefore(row), target: toTarget(option) }
}

/** What the amended delivery would cost, and with which carrier. Refuses as `amendDelivery`. */
export async function previewAmend(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  amendment: Amendment,
): Promise<Preview> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  const { plan } = await planAmendment(deps, entry, caller, row, amendment)
  const { chosen, window } = plan
  return { before: toBefore(row), target: chosen && window ? { ...chosen, window } : null }
}

/** The delivery that a cancellation ends, and whether a carrier has it. Refuses `not_cancellable`. */
export async function previewCancel(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<Preview & { isAtCarrier: boolean }> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  refuseUnlessCancellable(row, entry.nowMs())
  const isAtCarrier = row.pending_attempt !== null || !(OURS.includes(row.status) || row.content.staffCourier)
  return { before: toBefore(row), target: null, isAtCarrier }
}

function toBefore(row: DeliveryRow): Before {
  return { ...toDelivery(row), contentVersion: row.content_version }
}

/** The option that would be booked first, and its quote. */
function holdFirst({ decision, job }: Quoted, holding: Holding): { target: Target; held: Held } {
  const [option] = decision.options
  const held = option && holdOptions(holding, job, decision)[option.service.type]
  if (!option || !held) throw noServiceAvailable(decision)
  return { target: toTarget(option), held }
}

function toTarget({ service, priceCents, window }: Option): Target {
  const { provider, carrierName, service: name } = service
  return { provider, carrierName, service: name, priceCents, window }
}
