import { formatDate, localDay, zone } from '../../domain/calendar/zone.ts'
import { zoneNameOf } from '../../domain/geo/states.ts'
import type { State } from '../../domain/values.ts'
import { entryOf } from '../answer.ts'
import type { Consignment, RateAsk } from '../carrier.ts'
import { cut, formatParty, placeOf } from './format-party.ts'
import { isStarTrack, type Settings } from './settings.ts'
import { type Load, loadsOf, type Unit } from './units.ts'

/** The longest reference that the API takes. */
const REFERENCE = 50
/** StarTrack prints the first two lines only. */
const LINES = { auspost: 3, startrack: 2 }
const MOST_ITEMS = { auspost: 20, startrack: 500 }

const PACKAGING: Readonly<Record<string, string>> = {
  carton: 'CTN',
  crate: 'CTN',
  hanging_bag: 'BAG',
  length: 'ITM',
  pallet: 'PAL',
  satchel: 'SAT',
  skid: 'SKI',
}

/** Our consignment as `POST /shipments` wants it. Null: its street does not fit on their labels. */
export function formatShipments(consignment: Consignment, settings: Settings) {
  const { key, reference, from, to, parcels } = consignment
  const network = networkOf(settings)
  const sender = formatParty(from, consignment.pickupInstructions, LINES[network])
  const receiver = formatParty(to, consignment.specialInstructions, LINES[network])
  if (!sender || !receiver) return null
  const place = zone(zoneNameOf(from.state as State, from.postCode))
  const shipments = loadsOf(parcels, MOST_ITEMS[network]).map((load, index) => ({
    shipment_reference: index === 0 ? key : `${key}/${index + 1}`,
    // The first is what we look a booking up by.
    sender_references: [key, cut(reference, REFERENCE)],
    despatch_date: formatDate(localDay(place, consignment.readyAtMs)),
    email_tracking_enabled: false,
    movement_type: 'DESPATCH',
    from: sender,
    to: receiver,
    ...goodsOf(load),
    items: itemsOf(load, parcels, consignment, settings),
  }))
  return { shipments }
}

/** A job as `POST /prices/shipments` wants it, for one product. */
export function formatPrice(ask: RateAsk, productId: string, settings: Settings) {
  const wanted = { ...ask, carrierCode: productId, authorityToLeave: false }
  const shipments = loadsOf(ask.parcels, MOST_ITEMS[networkOf(settings)]).map((load) => ({
    from: placeOf(ask.from),
    to: placeOf(ask.to),
    ...goodsOf(load),
    items: itemsOf(load, ask.parcels, wanted, settings),
  }))
  return { shipments }
}

type Handover = Pick<
  Consignment,
  'carrierCode' | 'authorityToLeave' | 'signatureRequired' | 'idCheckRequired' | 'declaredValueCents'
>

function itemsOf({ units }: Load, all: RateAsk['parcels'], handover: Handover, settings: Settings) {
  const { carrierCode, signatureRequired, idCheckRequired, declaredValueCents } = handover
  const signed = signatureRequired || idCheckRequired
  const left = handover.authorityToLeave && !signed
  const total = all.reduce((sum, { quantity }) => sum + quantity, 0)
  const covers = settings.transit_cover === 'declared_value' && (declaredValueCents ?? 0) > 0
  const features = {
    ...(covers ? coverOf((declaredValueCents ?? 0) / total) : {}),
    ...(idCheckRequired ? IDENTITY : {}),
  }
  return units.map(({ parcel, reference }) => ({
    item_reference: reference,
    item_description: cut(parcel.reference, REFERENCE),
    product_id: (signed && entryOf(settings.signature_products, carrierCode)) || carrierCode,
    length: tenth(parcel.lengthCm),
    width: tenth(parcel.widthCm),
    height: tenth(parcel.heightCm),
    weight: Math.round(parcel.weightKg * 1_000) / 1_000,
    packaging_type: entryOf(PACKAGING, parcel.type) ?? 'CTN',
    authority_to_leave: left,
    safe_drop_enabled: left,
    ...declaredGoods(parcel),
    ...(Object.keys(features).length > 0 ? { features } : {}),
  }))
}

/** The declared value is of the whole order: each item has its share, rounded up to a cent. */
function coverOf(cents: number) {
  return { TRANSIT_COVER: { attributes: { cover_amount: Math.ceil(cents) / 100 } } }
}

const IDENTITY = {
  IDENTITY_ON_DELIVERY: { attributes: { id_capture_type: 'addressee', redirection_enabled: false } },
}

function declaredGoods({ dangerousGoods: goods }: Unit['parcel']) {
  if (!goods) return { contains_dangerous_goods: false }
  return {
    contains_dangerous_goods: true,
    transportable_by_air: goods.transportableByAir,
    ...(goods.declaration === null ? {} : { dangerous_goods_declaration: goods.declaration }),
  }
}

/** The description of the one UN entry that a shipment holds; nothing where it holds none. */
function goodsOf({ goods, units }: Load) {
  if (!goods) return {}
  const weightOf = ({ parcel }: Unit) => parcel.dangerousGoods?.netWeightKg ?? parcel.weightKg
  const kg = units.reduce((sum, unit) => sum + weightOf(unit), 0)
  return {
    dangerous_goods: {
      un_number: goods.unNumber.replace(/^UN/, ''),
      technical_name: goods.technicalName,
      net_weight: Math.round(kg * 1_000) / 1_000,
      class_division: goods.classDivision,
      ...(goods.subsidiaryRisk === null ? {} : { subsidiary_risk: goods.subsidiaryRisk }),
      ...(goods.packingGroup === null ? {} : { packing_group_designator: goods.packingGroup }),
      outer_packaging_type: entryOf(PACKAGING, goods.outerPackagingType) ?? goods.outerPackagingType,
      outer_packaging_quantity: goods.outerPackagingQuantity ?? units.length,
    },
  }
}

function networkOf(settings: Settings): 'auspost' | 'startrack' {
  return isStarTrack(settings) ? 'startrack' : 'auspost'
}

function tenth(cm: number): number {
  return Math.round(cm * 10) / 10
}
