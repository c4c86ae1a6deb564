import type { Customer, LineItem, RequestAddress, RequestParcel } from './request.ts'

/** One field that an amend changed, in the interface's words: `customer.phone`, `parcels`. Null: not given. */
export type Change = { field: string; from: unknown; to: unknown }

/** The fields that an amend may change, before or after it. */
export type Amendable = {
  /** With the store's offset. */
  readyForPickupAt: string
  reference: string
  deliveryType: string
  specialInstructions: string | null
  address: RequestAddress
  customer: Customer
  lineItems: readonly LineItem[]
  parcels: readonly RequestParcel[]
}

/** Objects that are reported field by field; lists are reported as a whole. */
const BY_FIELD: ReadonlySet<string> = new Set(['address', 'customer'])

/** The actual differences of a delivery before and after an amend. */
export function changesBetween(before: Amendable, after: Amendable): Change[] {
  return Object.keys(WIRE_ORDER).flatMap((key) => {
    const field = key as keyof Amendable
    const sides = [toWire(before[field]), toWire(after[field])] as const
    if (!BY_FIELD.has(field)) return toChanges(wireName(field), ...sides)
    const [from, to] = sides as readonly [Fields, Fields]
    return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) =>
      toChanges(`${wireName(field)}.${name}`, from[name], to[name]),
    )
  })
}

/** The change of a delivery that keeps only these parcels. */
export function parcelChanges(from: Amendable['parcels'], to: Amendable['parcels']): Change[] {
  return toChanges('parcels', toWire(from), toWire(to))
}

/** The request fields that the changes belong to, for people: `reference, customer`. */
export function changedFields(changes: readonly Change[]): string {
  return [...new Set(changes.map(({ field }) => field.split('.')[0]))].join(', ')
}

type Fields = Readonly<Record<string, unknown>>

/** The order in which changes are reported. */
const WIRE_ORDER: Readonly<Record<keyof Amendable, true>> = {
  readyForPickupAt: true,
  reference: true,
  deliveryType: true,
  specialInstructions: true,
  address: true,
  customer: true,
  lineItems: true,
  parcels: true,
}

function toChanges(field: string, from: unknown, to: unknown): Change[] {
  return same(from, to) ? [] : [{ field, from: from ?? null, to: to ?? null }]
}

/** Absent, null and false mean the same in every field that an amend accepts. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(comparable(one)) === JSON.stringify(comparable(other))
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value || value === 0 ? value : null
  const entries = Object.entries(value).filter(([, one]) => comparable(one) !== null)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, comparable(one)])
}

/** Fields whose interface name is not just a different spelling. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  definition: 'dangerous_goods_definition',
  declaration: 'dangerous_goods_declaration',
  packingGroup: 'packing_group_designator',
}

/** Markers of a flag that was not sent and counts as false: neither is reported. */
const OMITTED_FLAGS: Readonly<Record<string, string>> = {
  businessUnsaid: 'business',
  dangerousGoodsUnsaid: 'containsDangerousGoods',
}

function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value !== 'object' || value === null) return value
  const omitted = new Set(
    Object.keys(value).flatMap((key) => (key in OMITTED_FLAGS ? [key, OMITTED_FLAGS[key]] : [])),
  )
  const entries = Object.entries(value).filter(
    ([key, one]) => one !== null && one !== undefined && !omitted.has(key),
  )
  return Object.fromEntries(entries.map(([key, one]) => [wireName(key), toWire(one)]))
}

function wireName(key: string): string {
  return WIRE_NAMES[key] ?? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
