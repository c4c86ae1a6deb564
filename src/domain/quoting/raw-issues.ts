import type { Account, Store } from '../account/account.ts'
import { unknownDefinition } from '../dangerous-goods/resolve.ts'
import type { Issue } from '../errors.ts'
import { toE164 } from '../phone.ts'
import { DELIVERY_TYPES } from '../values.ts'
import { notAPhone } from './resolve-delivery.ts'
import { destinationOf } from './resolve-place.ts'
import { deliveryTypeIssues, providerIssues } from './resolve-provider.ts'
import { storeIssues } from './resolve-store.ts'

/**
 * What only the account can tell of a body that its schema has refused, so that a caller hears of all
 * mistakes at once. Reads a body of any shape and judges just the parts that are whole; never throws.
 */
export function rawAccountIssues(account: Account, body: unknown, sight: (store: Store) => boolean): Issue[] {
  const raw = record(body)
  const address = record(raw.address)
  const options = record(raw.provider_options)
  const named = { storeId: text(raw.store_id), storeReference: text(raw.store_reference) }
  const type = DELIVERY_TYPES.find((one) => one === raw.delivery_type) ?? null
  return [
    ...storeIssues(account, named, sight),
    ...deliveryTypeIssues(account, type),
    ...(raw.provider_options === undefined
      ? []
      : providerIssues(account, { provider: text(options.provider), service: text(options.service) })),
    ...placeIssues(text(address.city), text(address.state), text(address.post_code)),
    ...phoneIssues('customer.phone', text(record(raw.customer).phone), text(record(raw.customer).country)),
    ...phoneIssues('staff_courier.phone', text(record(raw.staff_courier).phone), null),
    ...parcelsOf(raw.parcels).flatMap((parcel, index) => {
      const definition = text(record(record(parcel).dangerous_goods).dangerous_goods_definition)
      if (definition === null || account.dangerousGoods.has(definition)) return []
      return [unknownDefinition(account.dangerousGoods, definition, `parcels[${index}].dangerous_goods`)]
    }),
  ]
}

function placeIssues(city: string | null, state: string | null, postCode: string | null): Issue[] {
  if (city === null || state === null || postCode === null) return []
  const place = destinationOf({ city, state, postCode, business: false })
  return 'issue' in place ? [place.issue] : []
}

function phoneIssues(field: string, phone: string | null, country: string | null): Issue[] {
  if (phone === null || toE164(phone, country ?? 'AU') !== null) return []
  return [notAPhone(field)]
}

/** A body may hold any number of parcels; those past the most allowed are judged by the schema alone. */
function parcelsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 200) : []
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 500 ? value : null
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
