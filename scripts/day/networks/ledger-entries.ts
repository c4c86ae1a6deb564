import type { FakeEntry } from '../../../test/fake-process.ts'
import { COURIER } from './account.ts'
import { CONTRACTS } from './contracts.ts'
import { readCourierMails } from './courier-mails.ts'
import type { Ledgers } from './fleet.ts'

/** A booking or its cancellation, as the carrier's own ledger has it. */
export type LedgerEntry = {
  what: 'booked' | 'cancelled'
  provider: string
  /** Our key: a delivery's id and the number of the attempt. */
  key: string
  /** One unit of a booking with that key: several when goods must not travel together. */
  unit: string
  /** The carrier's own id. */
  id: string
  /** The numbers that people and labels use, if the carrier has any. */
  numbers: readonly string[]
}

/** Several bookings handed over together, as the carrier's ledger has it. */
export type Order = {
  provider: string
  id: string
  bookings: readonly { key: string; id: string; numbers: readonly string[] }[]
}

/** How a courier's trip ended, by the courier's own ledger. */
export type Ending = { key: string; status: 'delivered' | 'returned' }

/** The delivery that a key belongs to. */
export function deliveryOf(key: string): string {
  return /^dlv_[0-9a-z]+/i.exec(key)?.[0] ?? key
}

export function entriesOf({ auspost, uberDirect, doordash, mails }: Ledgers): LedgerEntry[] {
  return [
    ...postEntries(auspost),
    ...uberEntries(uberDirect),
    ...doordashEntries(doordash),
    ...mailEntries(mails),
  ]
}

export function ordersOf({ auspost, mails }: Pick<Ledgers, 'auspost' | 'mails'>): Order[] {
  return [...postOrders(auspost), ...mailOrders(mails)]
}

export function endingsOf({ uberDirect, doordash }: Ledgers): Ending[] {
  const keyOf = new Map(
    uberDirect
      .filter(is('delivery_created'))
      .map(({ delivery_id, external_id }) => [delivery_id, external_id]),
  )
  return [
    ...uberDirect.flatMap(({ what, delivery_id }) => endOf(what, keyOf.get(delivery_id))),
    ...doordash.flatMap(({ what, external_delivery_id }) => endOf(what, external_delivery_id)),
  ]
}

function endOf(what: string, key: string | undefined): Ending | [] {
  const status = /^delivery_(delivered|returned)$/.exec(what)?.[1]
  return key !== undefined && status ? { key, status: status as Ending['status'] } : []
}

function postEntries(entries: readonly FakeEntry[]): LedgerEntry[] {
  const outcomes = { shipment_created: 'booked', shipment_deleted: 'cancelled' } as const
  return entries.flatMap((entry) => {
    const what = outcomes[entry.what as keyof typeof outcomes]
    if (!what) return []
    return {
      what,
      provider: contractOf(entry.account_number),
      key: entry.sender_references[0],
      unit: entry.shipment_reference,
      id: entry.shipment_id,
      numbers: entry.article_ids,
    }
  })
}

function postOrders(entries: readonly FakeEntry[]): Order[] {
  return entries.filter(is('order_created')).map(({ order_id, shipments }) => ({
    provider: contractOf(shipments[0]?.account_number),
    id: order_id,
    bookings: shipments.map((one: FakeEntry) => ({
      key: one.sender_references[0],
      id: one.shipment_id,
      numbers: one.article_ids,
    })),
  }))
}

function uberEntries(entries: readonly FakeEntry[]): LedgerEntry[] {
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

function doordashEntries(entries: readonly FakeEntry[]): LedgerEntry[] {
  return entries.flatMap(({ what, external_delivery_id: id }) => {
    const entry = courierEntry('doordash', id, id)
    if (what === 'delivery_created') return entry
    return what === 'delivery_cancelled' ? { ...entry, what: 'cancelled' } : []
  })
}

function courierEntry(provider: string, key: string, id: string): LedgerEntry {
  return { what: 'booked', provider, key, unit: key, id, numbers: [] }
}

/** A duplicate mail is one booking: the mail has an id. */
function mailEntries(mails: Ledgers['mails']): LedgerEntry[] {
  const made = new Map<string, LedgerEntry>()
  return readCourierMails(mails).flatMap((mail): LedgerEntry | [] => {
    if (mail.what === 'manifest') return []
    if (mail.what === 'called_off') {
      const entry = made.get(mail.number)
      made.delete(mail.number)
      return entry ? { ...entry, what: 'cancelled' } : []
    }
    const { key, number, id } = mail
    if (made.get(number)?.id === id) return []
    const entry = { ...courierEntry(COURIER, key, id), numbers: [number] }
    made.set(number, entry)
    return entry
  })
}

function mailOrders(mails: Ledgers['mails']): Order[] {
  const read = readCourierMails(mails)
  const keyOf = new Map(read.flatMap((mail) => (mail.what === 'booking' ? [[mail.number, mail.key]] : [])))
  const seen = new Set<string>()
  return read.flatMap((mail): Order | [] => {
    if (mail.what !== 'manifest') return []
    const message = JSON.stringify([mail.id, mail.order, mail.rows])
    if (seen.has(message)) return []
    seen.add(message)
    const byNumber = Map.groupBy(mail.rows, ({ number }) => number)
    return {
      provider: COURIER,
      id: mail.order,
      bookings: [...byNumber].map(([number, rows]) => ({
        key: keyOf.get(number) ?? number,
        id: number,
        numbers: rows.map(({ article }) => article),
      })),
    }
  })
}

function contractOf(accountNumber: string): string {
  return CONTRACTS.find((one) => one.accountNumber === accountNumber)?.provider ?? accountNumber
}

function is(what: string): (entry: FakeEntry) => boolean {
  return (entry) => entry.what === what
}
