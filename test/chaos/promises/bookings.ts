import type { Status } from '../../../src/domain/delivery/status.ts'
import { type Evidence, repeated } from '../found.ts'
import type { LedgerEntry } from '../networks.ts'

/**
 * A delivery never has two bookings at once, and in the end one at the carrier that we name, and none at any other.
 * A booking missing from its carrier's own list may coexist with the next one, but not past the end.
 */
export function bookedOnce({ deliveries, ledger }: Evidence): string[] {
  const violations: string[] = []
  const active = new Map<string, Map<string, LedgerEntry>>()
  const unlisted = new Set(ledger.flatMap(({ what, key }) => (what === 'unlisted' ? [key] : [])))
  const isListed = ({ key }: LedgerEntry) => !unlisted.has(key)
  for (const entry of ledger) {
    if (entry.what === 'ordered' || entry.what === 'unlisted') continue
    const id = deliveryOf(entry.key)
    const name = `${entry.carrier} ${entry.names[0]}`
    const held = active.get(id) ?? new Map<string, LedgerEntry>()
    active.set(id, held)
    if (entry.what === 'cancelled') for (const all of active.values()) all.delete(name)
    else held.set(name, entry)
    const others = [...held.values()].filter((other) => other !== entry)
    if (entry.what === 'booked' && others.some(isListed))
      violations.push(`${id} was booked twice at once: ${[...held.keys()].join(', ')}`)
  }
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const [id, held] of active) {
    if (held.size > 0 && !known.has(id))
      violations.push(`${[...held.keys()]} is active for ${id}, which is unknown to us`)
  }
  for (const { id, reference, status, provider, consignment_number } of deliveries) {
    const held = active.get(id) ?? new Map<string, LedgerEntry>()
    if (held.size > 1)
      violations.push(`${reference} is left with two bookings: ${[...held.keys()].join(', ')}`)
    const [entry] = [...held.values()].sort((a, b) => Number(isOurs(b)) - Number(isOurs(a)))
    function isOurs({ names }: LedgerEntry): boolean {
      return names.some((name) => name.startsWith(consignment_number ?? '-'))
    }
    if (isAtCarrier(status) && !entry)
      violations.push(`${reference} is ${status} and has no booking at a carrier`)
    if (!isAtCarrier(status) && status !== 'cancelled' && entry)
      violations.push(`${reference} is ${status} and has a booking at ${entry.carrier}`)
    if (status === 'cancelled' && entry)
      violations.push(`${reference} is cancelled and has a booking at ${entry.carrier}`)
    if (!isAtCarrier(status) || !entry) continue
    if (entry.carrier !== provider)
      violations.push(`${reference} is booked at ${entry.carrier}, our record says ${provider}`)
    // DoorDash's ledger has no consignment number.
    if (entry.carrier !== 'doordash' && !isOurs(entry))
      violations.push(`${reference} is ${consignment_number} with us and ${entry.names} at ${entry.carrier}`)
  }
  return violations
}

/** Every shipment is in at most one order, and each order is one manifest of ours. */
export function handedOverOnce({ manifests, ledger }: Evidence): string[] {
  const orders = ledger.filter(({ what }) => what === 'ordered')
  const ordered = orders.flatMap(({ parts }) => parts)
  const ours = new Map(manifests.map((manifest) => [manifest.external_ref.order_id ?? '', manifest]))
  const stateOf = (id: string | null) => {
    const found = manifests.find((manifest) => manifest.id === id)
    return found ? `${found.status}, ${found.status_reason}` : 'unknown'
  }
  const listed = manifests
    .filter(({ status }) => status === 'submitted')
    .flatMap(({ delivery_ids }) => delivery_ids)
  return [
    ...repeated(ordered).map((part) => `shipment ${part} is in two orders`),
    ...repeated(listed).map((id) => `${id} is on two manifests`),
    ...orders.flatMap(({ names: [orderId = ''], key: reference, parts }) => {
      const manifest = ours.get(orderId)
      if (!manifest)
        return [`order ${orderId} belongs to no manifest of ours: ${reference} is ${stateOf(reference)}`]
      const count = manifest.delivery_ids.length
      return count === parts.length
        ? []
        : [`order ${orderId} has ${parts.length} shipments, our record says ${count}`]
    }),
    ...manifests.flatMap(({ id, status, external_ref: { order_id } }) =>
      status !== 'submitted' || orders.some(({ names }) => names[0] === order_id)
        ? []
        : [`manifest ${id} is submitted as ${order_id}, which the carrier does not have`],
    ),
  ]
}

const NOT_AT_CARRIER: readonly Status[] = ['created', 'requested', 'on_hold', 'cancelled']

function isAtCarrier(status: Status): boolean {
  return !NOT_AT_CARRIER.includes(status)
}

/** A key is a delivery's id and the number of its attempt. */
function deliveryOf(bookingKey: string | null): string {
  return /^dlv_[0-9a-z]+/.exec(bookingKey ?? '')?.[0] ?? `${bookingKey}`
}
