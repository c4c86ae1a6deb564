import type { Store } from '../../../domain/account/account.ts'
import { bandColours } from '../../../domain/account/brand-colours.ts'
import { closesAt } from '../../../domain/calendar/intervals.ts'
import { formatLocal, zone } from '../../../domain/calendar/zone.ts'
import { getZoneName } from '../../../domain/geo/states.ts'
import type { PublicTracking } from '../../../operations/deliveries/public-tracking.ts'

/** The data of a tracking page, in the destination's local time. No last name, personal phone number or price. */
export function fromTracking({ delivery, store, tracking, nowMs }: PublicTracking): Record<string, unknown> {
  const { content, window, chosen } = delivery
  const { destination } = content
  const customerZone = zone(getZoneName(destination.state, content.address.postCode))
  const local = (ms: number | null | undefined) => (ms == null ? undefined : formatLocal(customerZone, ms))
  const { courier, delivered, message } = tracking
  return {
    reference: tracking.reference,
    brand: fromBrand(store),
    help: fromHelp(store, nowMs),
    first_name: content.customer.firstName,
    delivery_mode: content.deliveryMode === 'customer_pickup' ? content.deliveryMode : undefined,
    status: tracking.status,
    headline: message.headline,
    detail: message.more ?? undefined,
    late: tracking.late,
    now: local(nowMs),
    time_zone: customerZone.name,
    from_datetime: local(window?.fromMs),
    to_datetime: local(window?.toMs),
    likely_at: local(tracking.likelyMs),
    steps: tracking.steps.map(({ name, state, atMs }) => ({ name, state, at: local(atMs) })),
    history: tracking.history.map(({ atMs, text }) => ({ at: local(atMs), text })),
    store: { lat: store.lat, lng: store.lng },
    destination: { lat: destination.lat, lng: destination.lng, suburb: content.address.city },
    courier: courier
      ? {
          first_name: courier.firstName,
          position: courier.position
            ? { lat: courier.position.lat, lng: courier.position.lng, at: local(courier.position.atMs) }
            : undefined,
          distance_km: courier.km === null ? undefined : Math.round(courier.km * 10) / 10,
        }
      : undefined,
    carrier: chosen?.carrierName,
    authority_to_leave: tracking.authorityToLeave,
    note: tracking.note ?? undefined,
    parcels: tracking.parcels,
    parcels_later: tracking.parcelsLater || undefined,
    delivered: delivered
      ? { at: local(delivered.atMs), place: delivered.left ?? undefined, photo: delivered.photo }
      : undefined,
  }
}

/** A brand's appearance on customer pages. */
export function fromBrand({ brand }: Store): Record<string, unknown> {
  const { band, text } = bandColours(brand.colour)
  return {
    name: brand.name,
    header_color: band,
    header_text_color: text,
    logo: brand.logo === null ? undefined : true,
  }
}

/** The store's contact for a customer, and its closing time today by the store's clock. */
export function fromHelp({ name, phone, calendar, zone }: Store, nowMs: number): Record<string, unknown> {
  const closesMs = closesAt(calendar.trading, nowMs)
  return {
    store: name,
    tel: phone ?? undefined,
    time_zone: zone.name,
    open_until: closesMs === null ? undefined : formatLocal(zone, closesMs),
  }
}
