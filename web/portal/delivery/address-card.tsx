import { authorityToLeaveWarning } from '../../../src/domain/delivery/terms.ts'
import { distanceKm } from '../../../src/domain/geo/distance.ts'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { formatKm } from '../../shared/format-km.ts'
import { MapCard, type MapContent } from '../../shared/map/map-card.tsx'
import { formatPhone } from '../format-phone.ts'

/** The route on a map, the address, and the driver's instructions. */
export function AddressCard({ delivery, store }: { delivery: Delivery; store: Store }) {
  const { address, customer, authority_to_leave, special_instructions, delivery_pin } = delivery
  const overruled = whyNotLeave(delivery)
  return (
    <section className="sheet card" aria-label="Delivery address">
      <MapCard content={mapOf(delivery, store)} />
      <div className="in">
        <div>
          <p className="l">{delivery.delivery_mode === 'customer_pickup' ? 'From' : 'To'}</p>
          <p className="strong">
            {customer.first_name} {customer.last_name}
          </p>
          {address.company_name && <p>{address.company_name}</p>}
          <p>
            {address.address}
            {address.address2 && <>, {address.address2}</>}
            <br />
            {address.city} {address.state} {address.post_code}
          </p>
          {customer.phone && (
            <p>
              <a href={`tel:${customer.phone}`}>{formatPhone(customer.phone)}</a>
            </p>
          )}
        </div>
        <div>
          <p className="l">Leave at the door</p>
          <p className="strong">{overruled ? formatLeave(false) : formatLeave(authority_to_leave)}</p>
          {overruled && <p>{overruled}</p>}
          {special_instructions && (
            <>
              <p className="l">For the driver</p>
              <p>{special_instructions}</p>
            </>
          )}
          {delivery_pin && (
            <>
              <p className="l">The customer’s PIN</p>
              <p className="mono">{delivery_pin}</p>
            </>
          )}
        </div>
      </div>
    </section>
  )
}

/** Why the driver needs a person although the order allows leaving the parcels, or null. */
function whyNotLeave(delivery: Delivery): string | null {
  return authorityToLeaveWarning({
    authorityToLeave: delivery.authority_to_leave ?? null,
    productTypes: delivery.product_types,
    priceCentsTotalValue: delivery.price_cents_total_value ?? null,
    parcels: delivery.parcels.map((parcel) => ({
      containsDangerousGoods: parcel.contains_dangerous_goods ?? false,
    })),
    address: { business: delivery.address.business ?? false },
  })
}

function formatLeave(allowed: boolean | undefined): string {
  if (allowed === undefined) return 'Not specified'
  return allowed ? 'Yes' : 'No, someone must be there'
}

function mapOf({ address, delivery_mode }: Delivery, store: Store): MapContent {
  const from = { lat: store.lat, lng: store.lng }
  const to = { lat: address.lat, lng: address.lng }
  const ends = [store.name, address.city]
  const [first, last] = delivery_mode === 'customer_pickup' ? ends.toReversed() : ends
  return {
    marks: [
      { kind: 'store', name: store.name, ...from },
      { kind: 'door', name: address.city, ...to },
    ],
    line: [from, to],
    summary: `From ${first} to ${last}, ${formatKm(distanceKm(from, to))} as the crow flies`,
  }
}
