/** Turns the ledgers of the fake carriers into one form that the checks of a run can compare with our record. */

import type { FakeEntry } from '../fake-process.ts'

/** A booking or its cancellation, as recorded in the carrier's own ledger. */
export type LedgerEntry = {
  what: 'booked' | 'cancelled'
  provider: string
  /** Carriers with one ledger share its clock; by default a carrier has its own. */
  ledger?: string
  /** Our key: a delivery's id and the number of the attempt. */
  key: string
  /** One unit of a booking with that key: several when goods must not travel together. */
  unit: string
  /** The carrier's own id. */
  id: string
  /** The numbers that people and labels use, if the carrier has any. */
  numbers: readonly string[]
}

/** Several bookings that a manifest submitted together, as recorded in the carrier's ledger. */
export type Order = {
  provider: string
  id: string
  /** Our manifest's id. */
  reference?: string
  bookings: readonly { key: string; id: string; numbers: readonly string[] }[]
}

/** How a courier's trip ended, according to the courier's own ledger. */
export type Ending = { key: string; status: 'delivered' | 'returned' }

/** The delivery that a key belongs to. */
export function deliveryOf(key: string): string {
  return /^dlv_[0-9a-z]+/i.exec(key)?.[0] ?? key
}

/** `providerOf`: the provider whose contract has this account number. */
export function auspostEntries(
  entries: readonly FakeEntry[],
  providerOf: (accountNumber: string) => string,
): LedgerEntry[] {
  const outcomes = { shipment_created: 'booked', shipment_deleted: 'cancelled' } as const
  return entries.flatMap((entry) => {
    const what = outcomes[entry.what as keyof typeof outcomes]
    if (!what) return []
    return {
      what,
      provider: providerOf(entry.account_number),
      key: entry.sender_references[0],
      unit: entry.shipment_reference,
      id: entry.shipment_id,
      numbers: entry.article_ids,
    }
  })
}

export function auspostOrders(
  entries: readonly FakeEntry[],
  providerOf: (accountNumber: string) => string,
): Order[] {
  return entries.filter(is('order_created')).map(({ order_id, order_reference, shipments }) => ({
    provider: providerOf(shipments[0]?.account_number),
    id: order_id,
    reference: order_reference,
    bookings: shipments.map((one: FakeEntry) => ({
      key: one.sender_references[0],
      id: one.shipment_id,
      numbers: one.article_ids,
    })),
  }))
}

/** Our keys of the bookings that Australia Post's list left out of a look-up. */
export function unlistedKeys(auspost: readonly FakeEntry[]): string[] {
  return auspost.flatMap(({ what, query = '', faults }) => {
    const key = new URLSearchParams(query).get('sender_reference')
    return what === 'request' && faults?.includes('empty') && key ? key : []
  })
}

export function uberEntries(entries: readonly FakeEntry[]): LedgerEntry[] {
  const made = new Map<string, LedgerEntry>()
  return entries.flatMap(({ what, delivery_id, external_id }) => {
    if (what === 'delivery_created') {
      const entry = courierEntry('uber_direct', external_id ?? '', delivery_id)
      made.set(delivery_id, entry)
      return entry
    }
    const entry = made.get(delivery_id)
    return what === 'delivery_canceled' && entry ? { ...entry, what: 'cancelled' } : []
  })
}

export function doordashEntries(entries: readonly FakeEntry[]): LedgerEntry[] {
  return entries.flatMap(({ what, external_delivery_id: id }) => {
    const entry = courierEntry('doordash', id, id)
    if (what === 'delivery_created') return entry
    return what === 'delivery_cancelled' ? { ...entry, what: 'cancelled' } : []
  })
}

/** A booking of one unit at a carrier whose ledger has no numbers. */
export function courierEntry(provider: string, key: string, id: string): LedgerEntry {
  return { what: 'booked', provider, key, unit: key, id, numbers: [] }
}

export function courierEndings(entries: {
  uberDirect: readonly FakeEntry[]
  doordash: readonly FakeEntry[]
}): Ending[] {
  const { uberDirect, doordash } = entries
  const created = uberDirect.filter(is('delivery_created'))
  const keyOf = new Map(created.map(({ delivery_id, external_id }) => [delivery_id, external_id]))
  return [
    ...uberDirect.flatMap(({ what, delivery_id }) => endOf(what, keyOf.get(delivery_id))),
    ...doordash.flatMap(({ what, external_delivery_id }) => endOf(what, external_delivery_id)),
  ]
}

function endOf(what: string, key: string | undefined): Ending | [] {
  const status = /^delivery_(delivered|returned)$/.exec(what)?.[1]
  return key !== undefined && status ? { key, status: status as Ending['status'] } : []
}

function is(what: string): (entry: FakeEntry) => boolean {
  return (entry) => entry.what === what
}
