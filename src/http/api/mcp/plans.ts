import { formatLocal } from '../../../domain/calendar/zone.ts'
import { Refusal } from '../../../domain/errors.ts'
import { getSubmitAttempt, whyNotManifest } from '../../../domain/manifests/manifest-actions.ts'
import { formatDollars } from '../../../domain/text/format-dollars.ts'
import type { Cost } from '../../../operations/assistants/spending-limit.ts'
import {
  type Before,
  type HeldPreview,
  type Preview,
  previewAmend,
  previewBooking,
  previewCancel,
  previewCreate,
  previewReassign,
  type Target,
} from '../../../operations/deliveries/preview-change.ts'
import { getManifest } from '../../../operations/manifests/get-manifest.ts'
import type { TenantRequest } from '../../contract/endpoint.ts'
import type { AmendBody, DeliveryRequestBody } from '../deliveries/delivery-request-schema.ts'
import { toAmendment, toDeliveryRequest } from '../deliveries/delivery-request-wire.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import type { PLANNED } from './answer-schemas.ts'
import type { Fact } from './confirmation.ts'
import type { Arguments } from './read-endpoint.ts'

/**
 * A change in two steps, over one endpoint of the API: `plan_…` returns what would happen and changes nothing, `commit_…`
 * carries out what a person has confirmed.
 */
export type Plan = {
  /** The tools' names after `plan_` and `commit_`. */
  name: string
  title: string
  description: string
  operationId: string
  /** Fields of the endpoint that the plan does not offer. */
  omit: readonly string[]
  /** The schema of the preview: of a delivery or of a submission. */
  previewOf: keyof typeof PLANNED
  /** The change cannot be undone. */
  isDestructive: boolean
  preview(ask: TenantRequest, args: Arguments): Promise<Previewed>
}

export type Previewed = {
  /** What would happen, in Drover's own words. It quotes nothing that others wrote. */
  effect: string
  data: Record<string, unknown>
  /** The arguments of the commit: the delivery by its id, the price by its quote. */
  args: Arguments
  /** What must not have changed by the commit. Empty: a quote holds the price. */
  facts: readonly Fact[]
  /** What counts towards the client's spending limit; null: the change books nothing. */
  cost: Cost | null
}

export const PLANS: readonly Plan[] = [
  {
    name: 'delivery',
    title: 'a new delivery',
    description:
      'Creates a delivery, at the price of the first option in booking order. With `book_delivery_now`, Drover books it at once.',
    operationId: 'createDelivery',
    previewOf: 'delivery',
    // A courier of the store has no price, and a quote is what this plan makes.
    omit: ['quote_id', 'use_staff_couriers', 'staff_courier'],
    isDestructive: false,
    async preview(ask, args) {
      const request = toDeliveryRequest(args as DeliveryRequestBody)
      const preview = await previewCreate(ask.deps, ask.entry, ask.caller, request)
      const { carrierName, priceCents } = preview.target
      const when = request.bookDeliveryNow ? 'books it at once' : 'books it when it is due'
      const effect = `Drover creates the delivery for ${carrierName} at ${price(priceCents)} and ${when}.`
      return heldAt(ask, preview, { ...args, quote_id: preview.held.quoteId }, effect)
    },
  },
  {
    name: 'booking',
    title: 'a booking',
    description: 'Books a delivery that is requested or on hold, with the first option in booking order.',
    operationId: 'bookDelivery',
    previewOf: 'delivery',
    omit: ['quote_id'],
    isDestructive: false,
    async preview(ask, args) {
      const preview = await previewBooking(ask.deps, ask.entry, ask.caller, toName(args))
      const { carrierName, priceCents } = preview.target
      const effect = `Drover books ${carrierName} for ${price(priceCents)}. If ${carrierName} refuses, the delivery goes on hold and Drover books no other carrier.`
      const named = { delivery_id_or_reference: preview.before?.id, quote_id: preview.held.quoteId }
      return heldAt(ask, preview, named, effect)
    },
  },
  {
    name: 'reassignment',
    title: 'a reassignment',
    description: 'Reassigns a booked delivery to another carrier. The current carrier cancels first.',
    operationId: 'reassignDelivery',
    previewOf: 'delivery',
    // Only a person may vouch for what a carrier said.
    omit: ['carrier_release_confirmed'],
    isDestructive: true,
    async preview(ask, args) {
      const preview = await previewReassign(ask.deps, ask.entry, ask.caller, toName(args))
      const { before, target } = preview
      const effect = `Drover asks ${nameOf(before)} to cancel, then books ${target?.carrierName} for ${price(target?.priceCents)}${insteadOf(before)}. If ${target?.carrierName} refuses, Drover books the next option, which may cost more.`
      return unlessChanged(ask, preview, args, { effect, books: true })
    },
  },
  {
    name: 'amendment',
    title: 'an amendment',
    description:
      'Changes a delivery that no carrier has yet, for example its address or parcels. Drover chooses the carrier again.',
    operationId: 'amendDelivery',
    previewOf: 'delivery',
    omit: [],
    isDestructive: false,
    async preview(ask, args) {
      const amendment = toAmendment(args as AmendBody)
      const preview = await previewAmend(ask.deps, ask.entry, ask.caller, toName(args), amendment)
      const { before, target } = preview
      const cost = target
        ? `It then goes with ${target.carrierName} for ${price(target.priceCents)}${insteadOf(before)}.`
        : 'Its price is not known until it is booked.'
      return unlessChanged(ask, preview, args, {
        effect: `Drover changes the delivery. ${cost}`,
        books: true,
      })
    },
  },
  {
    name: 'cancellation',
    title: 'a cancellation',
    description: 'Cancels a delivery. If a carrier has it, Drover waits for the carrier to confirm.',
    operationId: 'requestCancel',
    previewOf: 'delivery',
    omit: ['carrier_release_confirmed'],
    isDestructive: true,
    async preview(ask, args) {
      const preview = await previewCancel(ask.deps, ask.entry, ask.caller, toName(args))
      const { before, isAtCarrier } = preview
      return unlessChanged(ask, preview, args, { effect: effectOfCancel(before, isAtCarrier), books: false })
    },
  },
  {
    name: 'manifest_submission',
    title: 'a manifest submission',
    description:
      'Submits a draft manifest, or one that the carrier refused, to the carrier. `list_manifests` has the drafts.',
    operationId: 'submitManifest',
    previewOf: 'submission',
    omit: [],
    isDestructive: true,
    preview: previewSubmission,
  },
]

async function previewSubmission(ask: TenantRequest, args: Arguments): Promise<Previewed> {
  const { deps, entry, caller } = ask
  const { manifest, deliveries } = await getManifest(deps, entry, caller, String(args.manifest_id))
  const hasIneligible = deliveries.some(({ notEligible }) => notEligible !== null)
  const why = whyNotManifest('submit', {
    state: manifest.state,
    attempt: getSubmitAttempt(manifest),
    hasIneligible,
  })
  if (why === 'discarded' || why === 'ineligible') {
    const code = why === 'discarded' ? 'manifest_discarded' : 'deliveries_not_eligible'
    const message = `The manifest cannot be submitted as it is. Create a new one for its deliveries.`
    throw new Refusal(code, message)
  }
  const { carrierName, provider, items, id } = manifest
  const count = `${deliveries.length} ${deliveries.length === 1 ? 'delivery' : 'deliveries'}`
  const effect =
    why === null
      ? `Drover submits the manifest to ${carrierName}: ${count}. You cannot undo this in Drover.`
      : 'Nothing changes: the carrier already has the manifest, or has not answered yet.'
  const ids = deliveries.map(({ deliveryId }) => deliveryId).sort()
  return {
    effect,
    data: { id, status: manifest.state, carrier_name: carrierName, provider, deliveries: deliveries.length },
    args: { manifest_id: id },
    facts: [provider, items, ...ids],
    cost: null,
  }
}

/** A quote holds the price: the operation itself refuses with `option_changed` if it no longer can. */
function heldAt(
  ask: TenantRequest,
  { before, storeId, target, held }: HeldPreview,
  args: Arguments,
  effect: string,
): Previewed {
  const data = {
    ...(before ? fromBefore(before) : {}),
    ...fromTarget(ask, storeId, target),
    price_held_until: recordTime(held.validUntilMs),
  }
  return { effect, data, args, facts: [], cost: { cents: target.priceCents, deliveryId: before?.id ?? null } }
}

/** Names the delivery by its id, because the reference may belong to another one by then. */
function unlessChanged(
  ask: TenantRequest,
  { before, target }: Preview,
  args: Arguments,
  { effect, books }: { effect: string; books: boolean },
): Previewed {
  const { store_reference: _, ...rest } = args
  return {
    effect,
    data: {
      ...fromBefore(before),
      ...(before.chosen ? { current_price_cents: before.chosen.priceCents } : {}),
      ...(target ? fromTarget(ask, before.storeId, target) : {}),
    },
    args: { ...rest, delivery_id_or_reference: before.id },
    facts: [
      ...[before.status, before.contentVersion, before.consignmentNumber, before.chosen?.priceCents ?? null],
      ...(target ? [target.provider, target.service, target.priceCents] : []),
    ],
    cost: books ? { cents: target?.priceCents ?? null, deliveryId: before.id } : null,
  }
}

function fromBefore({ id, reference, status, chosen }: Before): Record<string, unknown> {
  return { id, reference, status, ...(chosen ? { current_carrier: chosen.provider } : {}) }
}

function fromTarget({ entry }: TenantRequest, storeId: string, target: Target): Record<string, unknown> {
  const zone = entry.account.storeById.get(storeId)?.zone ?? entry.account.zone
  const { provider, carrierName: carrier_name, service, priceCents: price_cents, window } = target
  return {
    ...{ carrier_name, provider, service, price_cents, currency: 'AUD' },
    from_datetime: formatLocal(zone, window.fromMs),
    to_datetime: formatLocal(zone, window.toMs),
  }
}

function effectOfCancel(before: Before, isAtCarrier: boolean): string {
  if (before.status === 'cancelled') return 'Nothing changes: the delivery is already cancelled.'
  if (!isAtCarrier) return 'Drover cancels the delivery. No carrier has it, so nothing is charged.'
  return `Drover asks ${nameOf(before)} to cancel the booking${costing(before)}. The delivery is cancelled once they confirm. They may charge a fee, and Drover does not know how much.`
}

function toName(args: Arguments) {
  const storeReference = args.store_reference
  return {
    idOrReference: String(args.delivery_id_or_reference),
    storeReference: typeof storeReference === 'string' ? storeReference : null,
  }
}

function nameOf({ chosen }: Before): string {
  return chosen?.carrierName ?? 'the carrier'
}

function costing({ chosen }: Before): string {
  return chosen ? ` for ${price(chosen.priceCents)}` : ''
}

function insteadOf({ chosen }: Before): string {
  return chosen ? ` instead of ${formatDollars(chosen.priceCents)}` : ''
}

function price(cents = 0): string {
  return `${formatDollars(cents)} incl. GST`
}
