import { type Handover, mayBeLeft } from '../../kit/delivery-instructions.ts'
import { omitEmpty } from '../../kit/text.ts'
import { type Unit, unitsOf } from '../../kit/units.ts'
import type { Consignment, ConsignmentParcel, RateAsk, RateStop, Stop } from '../../port/carrier.ts'
import type { Settings } from './settings.ts'
import { CON_TYPES, MAX_TWO_SIDES_CM, MAX_UNITS, PARCEL, SATCHELS } from './tables.ts'

type Job = Pick<Consignment, 'signatureRequired' | 'idCheckRequired'> & {
  from: Pick<RateStop, 'address' | 'postCode'>
  parcels: readonly ConsignmentParcel[]
}

/** Why Aramex can't take a job, as a sentence; null if we know no reason. */
export function lackingOf(job: Job, carrierCode: string, { sends_from }: Settings): string | null {
  if (carrierCode !== PARCEL && !SATCHELS.includes(carrierCode)) return `it has no product ${carrierCode}`
  if (sends_from !== 'anywhere' && !isAt(job.from, sends_from)) {
    return `its account sends from ${sends_from.address} ${sends_from.post_code} alone`
  }
  if (job.idCheckRequired) return 'it looks at no identity cards'
  if (carrierCode === PARCEL && job.parcels.some(isOversize)) {
    return `it takes no parcel with two sides over ${MAX_TWO_SIDES_CM} cm`
  }
  if (unitsOf(job.parcels).length > MAX_UNITS) return `more than ${MAX_UNITS} labels are not followed`
  return null
}

function isOversize({ lengthCm, widthCm, heightCm }: ConsignmentParcel): boolean {
  return [lengthCm, widthCm, heightCm].filter((cm) => tenths(cm) > MAX_TWO_SIDES_CM).length >= 2
}

/** Compares the street too: a customer around the corner has the store's postcode but isn't the store. */
function isAt({ address, postCode }: Job['from'], there: { address: string; post_code: string }): boolean {
  const plain = (street: string | null) => (street ?? '').toLowerCase().replaceAll(/\W+/g, ' ').trim()
  return postCode === there.post_code && plain(address) === plain(there.address)
}

/** `POST /consignments`. Our key is their `ExternalRef1`, by which we look the booking up. */
export function formatConsignment(consignment: Consignment, settings: Settings) {
  const { from, to, key, reference, carrierCode, parcels } = consignment
  return {
    ...formatFrom(from, consignment.pickupInstructions, settings),
    To: formatContact(to, settings),
    ...omitEmpty('InstructionsPublic', consignment.specialInstructions),
    ExternalRef1: key,
    ExternalRef2: reference,
    Items: formatItems(parcels, carrierCode),
    ...formatServices(consignment, settings),
  }
}

/** `POST /consignments/quote`: the same without people, who are not known yet. */
export function formatQuote(ask: RateAsk, carrierCode: string, settings: Settings) {
  const handover = { ...ask, authorityToLeave: !ask.signatureRequired }
  return {
    ConTypeId: conTypeOf(settings),
    ...(settings.sends_from === 'anywhere' && { From: { Address: formatAddress(ask.from) } }),
    To: { Address: formatAddress(ask.to) },
    Items: formatItems(ask.parcels, carrierCode),
    ...formatServices(handover, settings),
  }
}

/** A standard consignment is picked up at the account's address; only a reseller's names another address. */
function formatFrom(from: Stop, instructions: string | null, settings: Settings) {
  if (settings.sends_from !== 'anywhere') return { ConTypeId: conTypeOf(settings) }
  return {
    ConTypeId: conTypeOf(settings),
    From: formatContact(from, settings),
    ...omitEmpty('FromInstructionsPublic', instructions),
  }
}

function conTypeOf({ sends_from }: Settings): number {
  return sends_from === 'anywhere' ? CON_TYPES.reseller : CON_TYPES.standard
}

/** All fields are mandatory except the business name. */
function formatContact(stop: Stop, { contact_phone, contact_email }: Settings) {
  return {
    ContactName: stop.name,
    ...omitEmpty('BusinessName', stop.company),
    PhoneNumber: stop.phone ?? contact_phone ?? '',
    Email: stop.email ?? contact_email ?? '',
    Address: formatAddress(stop),
  }
}

function formatAddress({ address, address2, city, state, postCode, country }: RateStop | Stop) {
  return {
    StreetAddress: address ?? '',
    ...omitEmpty('AdditionalDetails', address2),
    Locality: city,
    StateOrProvince: state,
    PostalCode: postCode,
    Country: country,
  }
}

/** One item per unit, with our reference, so that each unit gets its own label. */
function formatItems(parcels: readonly ConsignmentParcel[], carrierCode: string) {
  return unitsOf(parcels).map((unit) => ({
    Quantity: 1,
    Reference: unit.reference,
    ...(carrierCode === PARCEL ? formatParcel(unit) : { PackageType: 'S', SatchelSize: carrierCode }),
  }))
}

function formatParcel({ parcel: { weightKg, lengthCm, widthCm, heightCm } }: Unit) {
  const size = { Length: tenths(lengthCm), Width: tenths(widthCm), Height: tenths(heightCm) }
  return { PackageType: 'P', WeightDead: weightKg, ...size }
}

/** Centimetres to one decimal, rounded up so that a parcel is never declared too small. */
function tenths(cm: number): number {
  return Math.ceil(cm * 10) / 10
}

function formatServices(handover: Handover, { delivery_options }: Settings) {
  if (!delivery_options) return {}
  const { service, leave, signature } = delivery_options
  const item = handover.signatureRequired ? signature : mayBeLeft(handover) ? leave : null
  return item === null ? {} : { Services: [{ ServiceCode: service, ServiceItemCode: item }] }
}
