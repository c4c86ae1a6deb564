import type { Account, Store } from '../../../domain/account/account.ts'
import { formatLocal, zone } from '../../../domain/calendar/zone.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import type { RequestAddress } from '../../../domain/delivery/request.ts'
import { findState, getZoneName } from '../../../domain/geo/states.ts'
import { getLinkStatus, type Link, type LinkRequest } from '../../../domain/links/link.ts'
import type { NotifiedLink } from '../../../operations/links/links.ts'
import type { FreshOptions } from '../../../operations/quoting/quote-token/redeem-quote.ts'
import {
  NO_PREFERENCES,
  toAddress,
  toCustomer,
  toLineItem,
  toParcel,
} from '../deliveries/delivery-request-wire.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { fromDecision } from '../deliveries/quote-wire.ts'
import type { LinkRequestBody } from './link-schema.ts'

/** Converts a link for the merchant. Its URL is not included, because a separate endpoint returns it. */
export function fromLink(link: NotifiedLink, { storeById }: Account): Record<string, unknown> {
  return {
    id: link.id,
    status: getLinkStatus(link),
    store_id: link.storeId,
    store_reference: storeById.get(link.storeId)?.reference ?? link.storeId,
    reference: link.reference,
    created_at: recordTime(link.createdAtMs),
    opened_at: toTime(link.openedAtMs),
    expires_at: toTime(link.expiresAtMs),
    revoked_at: toTime(link.revokedAtMs),
    booked_at: toTime(link.usedAtMs),
    delivery_id: link.deliveryId ?? undefined,
    messages: link.messages.map(({ kind, status, response_excerpt, sent_at }) => ({
      kind,
      status,
      reason: response_excerpt ?? undefined,
      sent_at: toTime(sent_at),
    })),
  }
}

/** Converts an order for its customer, after they have proved that they know its number. */
export function fromOrder(
  { request, reference }: Link,
  store: Store,
  nowMs: number,
): Record<string, unknown> {
  const { customer, lineItems, address } = request
  const customerZone = zone(getZoneName(findState(address.state) ?? store.state, address.postCode))
  return {
    reference,
    brand: store.brand.name,
    store: store.name,
    customer: { first_name: customer.firstName, last_name: customer.lastName },
    phone_last_digits: customer.phone.slice(-2),
    address: fromAddress(address),
    line_items: lineItems.map(({ name, quantity }) => ({ name, quantity })),
    authority_to_leave: request.authorityToLeave ?? undefined,
    note: request.specialInstructions ?? undefined,
    time_zone: customerZone.name,
    now: formatLocal(customerZone, nowMs),
  }
}

/** Converts a booking for the customer, without the store's internal data. */
export function fromBooking(delivery: Delivery, store: Store, trackingUrl: string): Record<string, unknown> {
  const { window } = delivery
  return {
    reference: delivery.reference,
    status: delivery.status,
    delivery_type: delivery.deliveryType,
    price_cents: delivery.chosen?.priceCents,
    tracking_url: trackingUrl,
    from_datetime: window ? formatLocal(store.zone, window.fromMs) : undefined,
    to_datetime: window ? formatLocal(store.zone, window.toMs) : undefined,
  }
}

/** The options without the names of carriers, even if the account has its own carriers. */
export function fromLinkOptions({ account, store, decision, held }: FreshOptions): Record<string, unknown> {
  return fromDecision({ ...account, ownCarriers: false }, store, decision, held)
}

function fromAddress(address: RequestAddress) {
  return {
    address: address.address,
    address2: address.address2 ?? undefined,
    city: address.city,
    state: address.state,
    post_code: address.postCode,
    country: address.country,
    business: address.businessUnsaid ? undefined : address.business,
    company_name: address.companyName ?? undefined,
    name: address.name ?? undefined,
  }
}

function toTime(ms: number | null): string | undefined {
  return ms === null ? undefined : recordTime(ms)
}

/** The later delivery request, without its time and type. The country is Australia unless the address names another. */
export function toLinkRequest(body: LinkRequestBody): LinkRequest {
  return {
    ...NO_PREFERENCES,
    storeReference: body.store_reference,
    reference: body.reference,
    address: toAddress({ ...body.address, country: body.address.country ?? 'AU' }),
    customer: toCustomer(body.customer),
    lineItems: body.line_items.map(toLineItem),
    parcels: body.parcels.map(toParcel),
  }
}
