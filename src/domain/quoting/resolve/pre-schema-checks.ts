import type { Account, Store } from '../../account/account.ts'
import { parseTimestamp } from '../../calendar/timestamp.ts'
import { overrideIssues, unknownDefinition } from '../../dangerous-goods/resolve.ts'
import type { RequestKind } from '../../delivery/cross-field.ts'
import type { Issue } from '../../errors.ts'
import { number, record, text } from '../../untyped-json.ts'
import { DELIVERY_MODES, DELIVERY_TYPES } from '../../values.ts'
import { customerIssues, type NumbersOf, numberIssues, phoneIssues } from './resolve-delivery.ts'
import {
  deliveryTypeIssues,
  providerIssues,
  type ResolveContext,
  readyIssues,
  resolveDestination,
  toReadyMs,
} from './resolve-quote.ts'
import {
  findNamedStore,
  findStoreInUntypedBody,
  modeIssues,
  storeIssues,
  USUAL_MODE,
} from './resolve-store.ts'

/**
 * Mistakes that need the account to detect, in a body that its schema rejected, so that a caller gets all
 * mistakes at once. Reads a body of any shape and checks only the well-formed parts; never throws.
 */
export function preSchemaIssues(
  account: Account,
  body: unknown,
  kind: RequestKind,
  { sight, nowMs }: ResolveContext,
): Issue[] {
  const raw = record(body)
  const store = rawStore(account, raw, sight)
  const address = record(raw.address)
  const customer = record(raw.customer)
  const type = DELIVERY_TYPES.find((one) => one === raw.delivery_type) ?? null
  // An amend cannot name a store, mode, provider or staff courier: these stay unchanged.
  const named = kind !== 'amend'
  return [
    ...(named ? storeIssues(account, findStoreInUntypedBody(raw), sight) : []),
    ...(named ? rawModeIssues(account, store, raw.delivery_mode) : []),
    ...rawReadyIssues(account, store, raw.ready_for_pickup_at, nowMs),
    ...deliveryTypeIssues(account, type),
    ...(named ? rawProviderIssues(account, raw.provider_options) : []),
    ...placeIssues(address),
    ...toParcelList(raw.parcels).flatMap((parcel, index) =>
      rawGoodsIssues(account, record(parcel).dangerous_goods, `parcels[${index}].dangerous_goods`),
    ),
    ...customerIssues(text(customer.phone), text(customer.country)),
    ...(named ? phoneIssues('staff_courier.phone', text(record(raw.staff_courier).phone)) : []),
    ...(kind === 'quote' ? [] : numberIssues(account, rawNumbers(raw, named))),
  ]
}

/** An amend may omit fields that are in the delivery: whether its customer is notified is not known here. */
function rawNumbers(raw: Readonly<Record<string, unknown>>, named: boolean): NumbersOf {
  const getPhone = (of: unknown) => text(record(of).phone)
  const [customer, courier] = [getPhone(raw.customer), named ? getPhone(raw.staff_courier) : null]
  return {
    customer: customer === null ? null : { phone: customer, country: text(record(raw.customer).country) },
    staffCourier: courier === null ? null : { phone: courier },
    suppressNotifications: !named || raw.suppress_notifications === true,
  }
}

/** The store that a body names, if the caller may see it. */
export function rawStore(account: Account, body: unknown, sight: (store: Store) => boolean): Store | null {
  const store = findNamedStore(account, findStoreInUntypedBody(record(body)))
  return store && sight(store) ? store : null
}

/** Mistakes in a body's `ready_for_pickup_at`, in the store's time. */
export function rawReadyIssues(
  account: Account,
  store: Store | null,
  value: unknown,
  nowMs: number,
): Issue[] {
  const readyAt = parseTimestamp(text(value) ?? '')
  return readyIssues(toReadyMs(readyAt, store?.zone ?? account.zone), nowMs)
}

function rawModeIssues(account: Account, store: Store | null, value: unknown): Issue[] {
  const mode = value === undefined ? USUAL_MODE : DELIVERY_MODES.find((one) => one === value)
  return mode ? modeIssues(account, store, mode) : []
}

function rawProviderIssues(account: Account, value: unknown): Issue[] {
  const { provider, service } = record(value)
  if (provider === undefined && service === undefined) return []
  return providerIssues(account, { provider: text(provider), service: text(service) })
}

function rawGoodsIssues({ dangerousGoods }: Account, value: unknown, field: string): Issue[] {
  const goods = record(value)
  const definition = text(goods.dangerous_goods_definition)
  const overrides = {
    unNumber: number(goods.un_number),
    classDivision: number(goods.class_division),
    subsidiaryRisk: number(goods.subsidiary_risk),
  }
  return [
    ...overrideIssues(overrides, field),
    ...(definition === null || dangerousGoods.has(definition)
      ? []
      : [unknownDefinition(dangerousGoods, definition, field)]),
  ]
}

function placeIssues(address: Readonly<Record<string, unknown>>): Issue[] {
  const [city, state, postCode] = [text(address.city), text(address.state), text(address.post_code)]
  if (city === null || state === null || postCode === null) return []
  const place = resolveDestination({
    address: text(address.address),
    address2: text(address.address2),
    city,
    state,
    postCode,
    business: false,
  })
  return 'issue' in place ? [place.issue] : []
}

/** A body may have any number of parcels; only the schema checks those beyond the maximum. */
function toParcelList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 200) : []
}
