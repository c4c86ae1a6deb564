import type { Evidence, NetworkDelivery } from '../evidence.ts'
import { deliveryOf, type LedgerEntry } from '../ledger-entries.ts'
import type { Finding } from '../promises.ts'

/**
 * Never two bookings of one delivery at one carrier, and at the end not at two carriers. Ledgers of several
 * carriers share no clock, so overlaps in time can only be checked within one.
 */
export function bookedOnce({ ledgerEntries }: Evidence): Finding {
  const wrong: string[] = []
  for (const own of Map.groupBy(ledgerEntries, ({ key }) => deliveryOf(key)).values()) {
    const left = [...Map.groupBy(own, ({ provider }) => provider).values()].map((its) =>
      findActive(its, wrong),
    )
    const [first, ...others] = left.flatMap((its) => its.slice(0, 1))
    for (const other of others) wrong.push(`${nameOf(other)} is active although ${nameOf(first!)} is`)
  }
  return { counted: ledgerEntries.filter(({ what }) => what === 'booked').length, wrong }
}

/** The bookings that are active at one carrier at the end; reports overlaps that are not allowed. */
function findActive(ledgerEntries: readonly LedgerEntry[], wrong: string[]): LedgerEntry[] {
  const held = new Map<string, LedgerEntry>()
  for (const entry of ledgerEntries) {
    if (entry.what === 'cancelled') {
      held.delete(entry.id)
      continue
    }
    for (const other of held.values()) {
      const isOneOfSeveral = other.key === entry.key && other.unit !== entry.unit
      if (!isOneOfSeveral) wrong.push(`${nameOf(entry)} was booked while ${nameOf(other)} was active`)
    }
    held.set(entry.id, entry)
  }
  return [...held.values()]
}

/** Every active booking belongs to a delivery that names it, and every booking that a delivery names is active. */
export function bookingsAgree({ ledgerEntries, deliveries }: Evidence): Finding {
  const byDelivery = Map.groupBy(ledgerEntries, ({ key }) => deliveryOf(key))
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const wrong: string[] = []
  let counted = 0
  for (const [id, own] of byDelivery) {
    const left = [...Map.groupBy(own, ({ provider }) => provider).values()].flatMap((its) =>
      findActive(its, []),
    )
    counted += left.length
    const delivery = known.get(id)
    for (const entry of left) {
      const why = delivery ? orphanReason(entry, delivery) : 'which is unknown to us'
      if (why) wrong.push(`${nameOf(entry)} is active for ${delivery?.reference ?? id}, ${why}`)
    }
    if (delivery && isAtCarrier(delivery) && left.length === 0)
      wrong.push(`${delivery.reference} is ${delivery.status} and has no booking at a carrier`)
  }
  for (const delivery of deliveries) {
    if (isAtCarrier(delivery) && !byDelivery.has(delivery.id))
      wrong.push(`${delivery.reference} is ${delivery.status} and no carrier knows it`)
  }
  return { counted, wrong }
}

function orphanReason({ provider, numbers }: LedgerEntry, delivery: NetworkDelivery): string | null {
  if (!isAtCarrier(delivery)) return `which is ${delivery.status}`
  if (provider !== delivery.provider) return `which our record has at ${delivery.provider}`
  const number = delivery.consignment_number ?? '-'
  const isNamed =
    numbers.length === 0 || numbers.some((one) => one.startsWith(number) || isPartOf(one, delivery))
  return isNamed ? null : `which we call ${number}`
}

/** A delivery with several shipments has the first one's number; its parcels name them all. */
function isPartOf(article: string, { parcels = [] }: NetworkDelivery): boolean {
  return parcels.some(({ article_ids = [] }) => article_ids.includes(article))
}

function isAtCarrier({ status }: NetworkDelivery): boolean {
  return !['created', 'requested', 'on_hold', 'cancelled'].includes(status)
}

function nameOf({ provider, key, unit, id }: LedgerEntry): string {
  return `${provider} ${id} (${unit === key ? key : unit})`
}
