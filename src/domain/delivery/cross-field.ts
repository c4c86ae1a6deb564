import { type Issue, MAX_ISSUES } from '../errors.ts'
import { record } from '../untyped-json.ts'

/** The input of cross-field rules, from a request or from a raw body. Absent is null. */
export type CrossFieldView = {
  storeId: unknown
  storeReference: unknown
  reference?: unknown
  address: { business: unknown; companyName: unknown; country: unknown }
  useStaffCouriers?: unknown
  staffCourier?: unknown
  providerOptions?: unknown
  parcels: readonly ParcelView[]
  metadata?: Readonly<Record<string, unknown>>
}

export type ParcelView = {
  reference: unknown
  quantity: unknown
  containsDangerousGoods: unknown
  dangerousGoods: unknown
}

/** Reads a body of any shape; never throws. */
export function toCrossFieldView(body: unknown): CrossFieldView {
  const raw = record(body)
  const address = record(raw.address)
  return {
    storeId: raw.store_id ?? null,
    storeReference: raw.store_reference ?? null,
    reference: raw.reference ?? null,
    address: {
      business: address.business ?? null,
      companyName: address.company_name ?? null,
      country: address.country ?? null,
    },
    useStaffCouriers: raw.use_staff_couriers ?? null,
    staffCourier: raw.staff_courier ?? null,
    providerOptions: Object.keys(record(raw.provider_options)).length > 0 ? raw.provider_options : null,
    parcels: Array.isArray(raw.parcels) ? raw.parcels.map(parcelView) : [],
    metadata: record(raw.metadata),
  }
}

function parcelView(value: unknown): ParcelView {
  const raw = record(value)
  return {
    reference: raw.reference ?? null,
    quantity: raw.quantity ?? null,
    containsDangerousGoods: raw.contains_dangerous_goods ?? null,
    dangerousGoods: raw.dangerous_goods ?? null,
  }
}

/** Checks the parcels of one request against each other, and a parcel's own fields against each other. */
function parcelIssues(parcels: readonly ParcelView[]): Issue[] {
  const firstOf = new Map<unknown, number>()
  const issues: Issue[] = []
  let units = 0
  for (const [index, parcel] of parcels.entries()) {
    if (typeof parcel.quantity === 'number' && parcel.quantity > 0) units += parcel.quantity
    if (issues.length >= MAX_ISSUES) continue
    const field = `parcels[${index}]`
    issues.push(...dangerousGoodsIssues(parcel, field))
    if (typeof parcel.reference !== 'string') continue
    const first = firstOf.get(parcel.reference)
    if (first === undefined) firstOf.set(parcel.reference, index)
    else {
      const message = `"${parcel.reference}" is already the reference of parcels[${first}]. Send identical parcels as one entry with a quantity.`
      issues.push({ field: `${field}.reference`, issue: 'conflict', message })
    }
  }
  if (units > MAX_UNITS) {
    const message = `There are ${units} parcels in all; a delivery can have at most ${MAX_UNITS}.`
    issues.push({ field: 'parcels', issue: 'too_many', message })
  }
  return issues
}

function dangerousGoodsIssues(
  { containsDangerousGoods, dangerousGoods }: ParcelView,
  field: string,
): Issue[] {
  if (containsDangerousGoods === true && dangerousGoods === null) {
    const message =
      'contains_dangerous_goods is true: name the goods in dangerous_goods.dangerous_goods_definition.'
    return [{ field: `${field}.dangerous_goods`, issue: 'required', message }]
  }
  if (containsDangerousGoods !== true && dangerousGoods !== null) {
    const message =
      'dangerous_goods is given, but contains_dangerous_goods is not true. Set it to true, or leave dangerous_goods out.'
    return [{ field: `${field}.dangerous_goods`, issue: 'conflict', message }]
  }
  return []
}

/** Every unit gets an article id and a label. */
export const MAX_UNITS = 10_000

/**
 * A delivery requires more of an address than a quote does; an amend has only the changes, and names no store. The
 * delivery as amended is checked as `delivery`.
 */
export type RequestKind = 'delivery' | 'quote' | 'amend'

/**
 * Mistakes between fields that need no account to detect, in a body that may be malformed in any way. A value
 * of the wrong type counts only as present or absent; reporting it is up to the schema.
 */
export function crossFieldIssues(body: unknown, kind: RequestKind): Issue[] {
  return listCrossFieldIssues(toCrossFieldView(body), kind)
}

/** The same for a well-formed request. */
export function listCrossFieldIssues(request: CrossFieldView, kind: RequestKind): Issue[] {
  return [
    ...(kind === 'amend' ? [] : storeIssues(request)),
    ...addressIssues(request, kind),
    ...parcelIssues(request.parcels),
    ...(kind === 'quote' ? [] : referenceIssues(request)),
    ...(kind === 'delivery' ? [...staffCourierIssues(request), ...metadataIssues(request)] : []),
  ]
}

function storeIssues({ storeId, storeReference }: CrossFieldView): Issue[] {
  if (storeId !== null || storeReference !== null) return []
  const message = 'Name the store: send store_reference (yours) or store_id (ours).'
  return [{ field: 'store_reference', issue: 'required', message }]
}

function referenceIssues({ reference }: CrossFieldView): Issue[] {
  if (typeof reference !== 'string' || !LIKE_OUR_ID.test(reference)) return []
  const message = `"${reference}" looks like a Drover delivery id. Choose a reference that does not begin with dlv_.`
  return [{ field: 'reference', issue: 'invalid_value', message }]
}

function addressIssues({ address }: CrossFieldView, kind: RequestKind): Issue[] {
  const issues: Issue[] = []
  if (kind !== 'quote' && address.business === true && isBlank(address.companyName)) {
    const message = 'A business address needs its company_name.'
    issues.push({ field: 'address.company_name', issue: 'required', message })
  }
  if (typeof address.country === 'string' && address.country.toUpperCase() !== 'AU') {
    const message = `Addresses in ${address.country} are not supported yet. Send an address in Australia (AU).`
    issues.push({ field: 'address.country', issue: 'invalid_value', message })
  }
  return issues
}

function staffCourierIssues({
  useStaffCouriers,
  staffCourier = null,
  providerOptions = null,
}: CrossFieldView): Issue[] {
  const issues = flagIssues(useStaffCouriers, staffCourier)
  if (useStaffCouriers !== true || providerOptions === null) return issues
  const message =
    'use_staff_couriers sends one of the store’s own couriers, and provider_options names a carrier. Leave one of them out.'
  return [...issues, { field: 'provider_options', issue: 'conflict', message }]
}

function flagIssues(useStaffCouriers: unknown, staffCourier: unknown): Issue[] {
  if (useStaffCouriers === true && staffCourier === null) {
    const message = 'use_staff_couriers requires staff_courier.'
    return [{ field: 'staff_courier', issue: 'required', message }]
  }
  if (useStaffCouriers !== true && staffCourier !== null) {
    const message =
      'staff_courier is given without use_staff_couriers: set that to true, or leave the courier out.'
    return [{ field: 'staff_courier', issue: 'conflict', message }]
  }
  return []
}

function metadataIssues({ metadata = {} }: CrossFieldView): Issue[] {
  const entries = Object.entries(metadata)
  const issues: Issue[] = []
  if (entries.length > MAX_METADATA) {
    const message = `metadata has ${entries.length} entries; at most ${MAX_METADATA} are allowed.`
    issues.push({ field: 'metadata', issue: 'too_many', message })
  }
  for (const [key, value] of entries.slice(0, MAX_METADATA)) {
    if (key.length > LONGEST_KEY) {
      const message = `A key of metadata has at most ${LONGEST_KEY} characters.`
      issues.push({ field: `metadata.${key.slice(0, LONGEST_NAMED)}`, issue: 'too_long', message })
    } else if (typeof value === 'string' && value.length > LONGEST_VALUE) {
      const message = `A value of metadata has at most ${LONGEST_VALUE} characters; this one has ${value.length}.`
      issues.push({ field: `metadata.${key}`, issue: 'too_long', message })
    }
  }
  return issues
}

function isBlank(text: unknown): boolean {
  return text === null || (typeof text === 'string' && text.trim() === '')
}

const LIKE_OUR_ID = /^dlv_/i
const MAX_METADATA = 50
const LONGEST_KEY = 40
/** How much of an overlong key an issue repeats: enough to recognise the key. */
const LONGEST_NAMED = 60
const LONGEST_VALUE = 500
