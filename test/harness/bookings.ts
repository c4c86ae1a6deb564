/** Checks of bookings: a delivery is booked once, and Drover's record agrees with the carriers' own ledgers. */

import { deliveryOf, type LedgerEntry } from './ledger.ts'
import type { Finding } from './promises.ts'
import { isAtCarrier } from './timelines.ts'

/** A delivery as Drover reports it. */
export type BookedDelivery = {
  id: string
  reference: string
  status: string
  provider?: string
  consignment_number?: string
  parcels?: readonly { article_ids?: readonly string[] }[]
  /** A carrier has not answered yet, so it may have a booking that our record cannot name. */
  isUnanswered?: boolean
}

type BookingEvidence = {
  ledgerEntries: readonly LedgerEntry[]
  /** Keys that a carrier's list left out: their bookings may overlap with the next one, but not at the end. */
  unlisted?: readonly string[]
}

/**
 * A delivery never has two active bookings at one carrier, and at the end it has one booking among all carriers.
 * Ledgers of several carriers share no clock, so overlaps in time can only be checked within one ledger.
 */
export function bookedOnce({ ledgerEntries, unlisted = [] }: BookingEvidence): Finding {
  const exempt = new Set(unlisted)
  const wrong: string[] = []
  for (const [id, own] of byDelivery(ledgerEntries)) {
    const left = findActive(own, (entry, other) => {
      if (!exempt.has(other.key)) wrong.push(`${nameOf(entry)} was booked while ${nameOf(other)} was active`)
    })
    const second = left.find((entry) => left[0] && entry !== left[0] && !isSameBooking(entry, left[0]))
    if (second) wrong.push(`${id} is left with two bookings: ${left.map(nameOf).join(' and ')}`)
  }
  return { counted: ledgerEntries.filter(({ what }) => what === 'booked').length, wrong }
}

/** Every active booking belongs to a delivery that names it, and every booking that a delivery names is active. */
export function bookingsAgree({
  ledgerEntries,
  deliveries,
}: Pick<BookingEvidence, 'ledgerEntries'> & { deliveries: readonly BookedDelivery[] }): Finding {
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const booked = new Set<string>()
  const wrong: string[] = []
  let counted = 0
  for (const [id, own] of byDelivery(ledgerEntries)) {
    const delivery = known.get(id)
    for (const entry of findActive(own)) {
      counted += 1
      booked.add(id)
      const why = delivery ? orphanReason(entry, delivery) : 'which is unknown to us'
      if (why) wrong.push(`${nameOf(entry)} is active for ${delivery?.reference ?? id}, ${why}`)
    }
  }
  for (const { id, reference, status } of deliveries) {
    if (isAtCarrier(status) && !booked.has(id))
      wrong.push(`${reference} is ${status} and has no booking at a carrier`)
  }
  return { counted, wrong }
}

function byDelivery(entries: readonly LedgerEntry[]): Map<string, LedgerEntry[]> {
  return Map.groupBy(entries, ({ key }) => deliveryOf(key))
}

/** The bookings of a delivery that are active at the end; reports each one that overlapped another in its ledger. */
export function findActive(
  entries: readonly LedgerEntry[],
  onOverlap: (entry: LedgerEntry, other: LedgerEntry) => void = () => {},
): LedgerEntry[] {
  return [...Map.groupBy(entries, ({ provider, ledger = provider }) => ledger).values()].flatMap((its) => {
    const active = new Map<string, LedgerEntry>()
    for (const entry of its) {
      if (entry.what === 'cancelled') {
        active.delete(entry.id)
        continue
      }
      for (const other of active.values()) if (!isSameBooking(entry, other)) onOverlap(entry, other)
      active.set(entry.id, entry)
    }
    return [...active.values()]
  })
}

/** Two units of one booking. */
function isSameBooking(one: LedgerEntry, other: LedgerEntry): boolean {
  return one.provider === other.provider && one.key === other.key && one.unit !== other.unit
}

function orphanReason({ provider, numbers }: LedgerEntry, delivery: BookedDelivery): string | null {
  if (delivery.isUnanswered) return null
  if (!isAtCarrier(delivery.status)) return `which is ${delivery.status}`
  if (provider !== delivery.provider) return `which our record places at ${delivery.provider}`
  const number = delivery.consignment_number ?? '-'
  const isNamed =
    numbers.length === 0 || numbers.some((one) => one.startsWith(number) || isPartOf(one, delivery))
  return isNamed ? null : `which we call ${number}`
}

/** A delivery with several shipments has the first one's number; its parcels name them all. */
function isPartOf(article: string, { parcels = [] }: BookedDelivery): boolean {
  return parcels.some(({ article_ids = [] }) => article_ids.includes(article))
}

function nameOf({ provider, key, unit, id }: LedgerEntry): string {
  return `${provider} ${id} (${unit === key ? key : unit})`
}
