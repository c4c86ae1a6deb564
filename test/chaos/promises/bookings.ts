import type { Status } from '../../../src/domain/delivery/status.ts'
import { type Evidence, repeated } from '../found.ts'
import type { InjectedFault } from '../networks.ts'

/**
 * A delivery never has two bookings at once, and in the end one at the carrier that we name, and none at any other.
 * A booking missing from its carrier's own list may coexist with the next one, but not past the end.
 */
export function bookedOnce({ deliveries, ledger }: Evidence): string[] {
  const says: string[] = []
  const standing = new Map<string, Map<string, InjectedFault>>()
  const unlisted = new Set(ledger.flatMap(({ what, key }) => (what === 'unlisted' ? [key] : [])))
  const isListed = ({ key }: InjectedFault) => !unlisted.has(key)
  for (const fault of ledger) {
    if (fault.what === 'ordered' || fault.what === 'unlisted') continue
    const id = deliveryOf(fault.key)
    const name = `${fault.carrier} ${fault.names[0]}`
    const held = standing.get(id) ?? new Map<string, InjectedFault>()
    standing.set(id, held)
    if (fault.what === 'cancelled') for (const all of standing.values()) all.delete(name)
    else held.set(name, fault)
    const others = [...held.values()].filter((other) => other !== fault)
    if (fault.what === 'booked' && others.some(isListed))
      says.push(`${id} stood twice: ${[...held.keys()].join(', ')}`)
  }
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const [id, held] of standing) {
    if (held.size > 0 && !known.has(id)) says.push(`${[...held.keys()]} stands for ${id}, which nobody knows`)
  }
  for (const { id, reference, status, provider, consignment_number } of deliveries) {
    const held = standing.get(id) ?? new Map<string, InjectedFault>()
    if (held.size > 1) says.push(`${reference} is left with two bookings: ${[...held.keys()].join(', ')}`)
    const [fault] = [...held.values()].sort((a, b) => Number(isOurs(b)) - Number(isOurs(a)))
    function isOurs({ names }: InjectedFault): boolean {
      return names.some((name) => name.startsWith(consignment_number ?? '-'))
    }
    if (isAtCarrier(status) && !fault) says.push(`${reference} is ${status} and stands at no carrier`)
    if (!isAtCarrier(status) && status !== 'cancelled' && fault)
      says.push(`${reference} is ${status} and stands at ${fault.carrier}`)
    if (status === 'cancelled' && fault) says.push(`${reference} is cancelled and stands at ${fault.carrier}`)
    if (!isAtCarrier(status) || !fault) continue
    if (fault.carrier !== provider) says.push(`${reference} stands at ${fault.carrier}, we say ${provider}`)
    // DoorDash's ledger has no consignment number.
    if (fault.carrier !== 'doordash' && !isOurs(fault))
      says.push(`${reference} is ${consignment_number} with us and ${fault.names} at ${fault.carrier}`)
  }
  return says
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
        return [`order ${orderId} is of no manifest of ours: ${reference} is ${stateOf(reference)}`]
      const count = manifest.delivery_ids.length
      return count === parts.length ? [] : [`order ${orderId} has ${parts.length} shipments, we say ${count}`]
    }),
    ...manifests.flatMap(({ id, status, external_ref: { order_id } }) =>
      status !== 'submitted' || orders.some(({ names }) => names[0] === order_id)
        ? []
        : [`manifest ${id} is submitted as ${order_id}, of which the carrier knows nothing`],
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
