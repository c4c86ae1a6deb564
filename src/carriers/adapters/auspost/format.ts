import { formatDate, localDay, zone } from '../../../domain/calendar/zone.ts'
import { getZoneName } from '../../../domain/geo/states.ts'
import type { State } from '../../../domain/values.ts'
import { entryOf } from '../../kit/answer.ts'
import { type Handover, mayBeLeft } from '../../kit/delivery-instructions.ts'
import type { LabelSlice } from '../../kit/label-poller.ts'
import { shipmentIdsOf } from '../../kit/split-shipment-refs.ts'
import { cut, linesOf, omitEmpty } from '../../kit/text.ts'
import {
  type Load,
  loadsOf,
  netKgOf,
  outerPackagesOf,
  rounded,
  shareCents,
  type Unit,
} from '../../kit/units.ts'
import type { Consignment, LabelFormat, RateAsk, Stop } from '../../port/carrier.ts'
import type { Settings } from './settings.ts'
import { IDENTITY, MAX_LENGTH, NETWORKS, PACKAGING } from './tables.ts'

/** Formats a consignment for `POST /shipments`. Null: its street doesn't fit on their labels. */
export function formatShipments(consignment: Consignment, settings: Settings) {
  const { key, reference, from, to, parcels } = consignment
  const max = networkOf(settings)
  const sender = formatParty(from, consignment.pickupInstructions, max.lines)
  const receiver = formatParty(to, consignment.specialInstructions, max.lines)
  if (!sender || !receiver) return null
  const place = zone(getZoneName(from.state as State, from.postCode))
  const shipments = loadsOf(parcels, max.items).map((load, index) => ({
    shipment_reference: index === 0 ? key : `${key}/${index + 1}`,
    // We look a booking up by the first reference.
    sender_references: [key, cut(reference, MAX_LENGTH.reference)],
    despatch_date: formatDate(localDay(place, consignment.readyAtMs)),
    email_tracking_enabled: false,
    movement_type: 'DESPATCH',
    from: sender,
    to: receiver,
    ...omitEmpty('dangerous_goods', formatGoods(load)),
    items: itemsOf(load, parcels, consignment, settings),
  }))
  return { shipments }
}

/** Formats a job for `POST /prices/shipments`, for one product. */
export function formatPrice(ask: RateAsk, productId: string, settings: Settings) {
  const handover = { ...ask, carrierCode: productId, authorityToLeave: false }
  const shipments = loadsOf(ask.parcels, networkOf(settings).items).map((load) => ({
    from: placeOf(ask.from),
    to: placeOf(ask.to),
    ...omitEmpty('dangerous_goods', formatGoods(load)),
    items: itemsOf(load, ask.parcels, handover, settings),
  }))
  return { shipments }
}

/** `POST /labels`, as one document; `waits`: Australia Post answers once the document is made. */
export function formatLabels(settings: Settings, shipments: LabelSlice, format: LabelFormat, waits: boolean) {
  const { label_branded: branded, label_left_offset: left_offset, label_top_offset: top_offset } = settings
  const layouts = Object.entries(settings.label_layouts)
  const groups = layouts.map(([group, layout]) => ({ group, layout, branded, left_offset, top_offset }))
  return {
    wait_for_label_url: waits,
    unlabelled_articles_only: false,
    preferences: [{ type: 'PRINT', format: format.toUpperCase(), groups }],
    shipments,
  }
}

/** The shipment ids of bookings. */
export function formatRefs(refs: readonly string[]) {
  return { shipments: refs.flatMap(shipmentIdsOf).map((shipment_id) => ({ shipment_id })) }
}

/** Sender or recipient. Null: the street doesn't fit on their labels, which have `max` lines for it. */
function formatParty(stop: Stop, instructions: string | null, max: number) {
  const lines = linesOf([stop.address2, stop.address].filter(Boolean).join(', '), MAX_LENGTH.name, max)
  return (
    lines && {
      ...placeOf(stop),
      name: cut(stop.name, MAX_LENGTH.name),
      ...omitEmpty('business_name', cut(stop.company, MAX_LENGTH.name)),
      lines,
      country: 'AU',
      ...omitEmpty('phone', stop.phone),
      ...omitEmpty('email', stop.email && stop.email.length <= MAX_LENGTH.email ? stop.email : null),
      ...omitEmpty('delivery_instructions', cut(instructions, MAX_LENGTH.instructions)),
    }
  )
}

function placeOf({ city, state, postCode }: Pick<Stop, 'city' | 'state' | 'postCode'>) {
  return { suburb: cut(city, MAX_LENGTH.name), state, postcode: postCode }
}

type Handed = Handover & Pick<Consignment, 'carrierCode' | 'declaredValueCents'>

function itemsOf({ units }: Load, all: RateAsk['parcels'], handed: Handed, settings: Settings) {
  const { carrierCode, declaredValueCents, signatureRequired, idCheckRequired } = handed
  const signed = signatureRequired || idCheckRequired
  const mayLeave = mayBeLeft(handed)
  const covered = settings.transit_cover === 'declared_value' ? (declaredValueCents ?? 0) : 0
  const cover = { attributes: { cover_amount: shareCents(covered, all) / 100 } }
  const features = { ...(covered > 0 && { TRANSIT_COVER: cover }), ...(idCheckRequired && IDENTITY) }
  return units.map(({ parcel, reference }) => ({
    item_reference: reference,
    item_description: cut(parcel.reference, MAX_LENGTH.reference),
    product_id: (signed && entryOf(settings.signature_products, carrierCode)) || carrierCode,
    length: rounded(parcel.lengthCm, 10),
    width: rounded(parcel.widthCm, 10),
    height: rounded(parcel.heightCm, 10),
    weight: rounded(parcel.weightKg, 1_000),
    packaging_type: entryOf(PACKAGING, parcel.type) ?? 'CTN',
    authority_to_leave: mayLeave,
    safe_drop_enabled: mayLeave,
    ...declaredGoods(parcel),
    ...omitEmpty('features', Object.keys(features).length > 0 ? features : null),
  }))
}

function declaredGoods({ dangerousGoods: goods }: Unit['parcel']) {
  return {
    contains_dangerous_goods: goods !== null,
    ...omitEmpty('transportable_by_air', goods?.transportableByAir ?? null),
    ...omitEmpty('dangerous_goods_declaration', goods?.declaration ?? null),
  }
}

/** The description of the one UN entry in a shipment; null if it has no dangerous goods. */
function formatGoods(load: Load) {
  const { goods } = load
  if (!goods) return null
  return {
    un_number: goods.unNumber.replace(/^UN/, ''),
    technical_name: goods.technicalName,
    net_weight: netKgOf(load),
    class_division: goods.classDivision,
    ...omitEmpty('subsidiary_risk', goods.subsidiaryRisk),
    ...omitEmpty('packing_group_designator', goods.packingGroup),
    outer_packaging_type: entryOf(PACKAGING, goods.outerPackagingType) ?? goods.outerPackagingType,
    outer_packaging_quantity: outerPackagesOf(load),
  }
}

function networkOf({ account_number }: Settings) {
  return account_number.length === 8 ? NETWORKS.startrack : NETWORKS.auspost
}
