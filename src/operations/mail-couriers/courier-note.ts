import type { Booking, Consignment, Stop } from '../../carriers/port/carrier.ts'
import { type ConsignmentNote, consignmentNotePdf, type NoteEnd } from '../../documents/consignment-note.ts'
import { formatMomentAt, formatWindowAt } from '../../domain/calendar/format-window-at.ts'
import { formatLocal, type Zone, zone as zoneByName } from '../../domain/calendar/zone.ts'
import { findState, getZoneName } from '../../domain/geo/states.ts'
import { csvText } from '../../domain/text/write-csv.ts'

/** The facts of one booking for a courier's staff; `zone` is the store's time zone. */
export type NoteFacts = {
  consignment: Consignment
  booking: Pick<Booking, 'consignmentNumber' | 'articles'>
  carrierName: string
  sandbox: boolean
  zone: Zone
}

/** The booking as PDF, A4. */
export function courierNotePdf(facts: NoteFacts): Promise<Buffer> {
  return consignmentNotePdf(toNote(facts))
}

/** Bookings as CSV, one row per article, for import by machine. */
export function courierNotesCsv(bookings: readonly NoteFacts[]): string {
  return csvText([CSV_HEAD, ...bookings.flatMap(articleRows)])
}

function articleRows({ consignment, booking, zone }: NoteFacts) {
  const { from, to, window, reference, readyAtMs, carrierCode } = consignment
  const shared = [booking.consignmentNumber, reference, carrierCode, formatLocal(zone, readyAtMs)]
  const there = zoneByName(windowZone(consignment, zone))
  const terms = [formatLocal(there, window.fromMs), formatLocal(there, window.toMs)]
  const ends = [...endCells(from), ...endCells(to)]
  return consignment.parcels.flatMap((parcel) => {
    const { articleIds = [] } =
      booking.articles.find(({ parcelReference }) => parcelReference === parcel.reference) ?? {}
    const { type, lengthCm, widthCm, heightCm, weightKg, unNumber } = parcel
    return articleIds.map((articleId) => [
      ...[...shared, ...terms, ...ends, articleId, type, lengthCm, widthCm, heightCm, weightKg, unNumber],
      listInstructions(consignment).join(' '),
    ])
  })
}

const CSV_HEAD = [
  ...['consignment_number', 'reference', 'service', 'ready_at', 'deliver_from', 'deliver_to'],
  ...['from', 'to'].flatMap((end) =>
    ['name', 'phone', 'address', 'suburb', 'state', 'post_code'].map((part) => `${end}_${part}`),
  ),
  ...['article_id', 'type', 'length_cm', 'width_cm', 'height_cm', 'weight_kg', 'un_number', 'instructions'],
]

type Timed = Pick<NoteFacts, 'consignment' | 'zone'>

/** When the parcels are ready, by the store's clock: `Tue 24 Nov, 1 pm`. */
export function readyWords({ consignment, zone }: Timed): string {
  return formatMomentAt(consignment.readyAtMs, { zone: zone.name, reader: zone.name, nowMs: 0 }, 'dated')
}

/** The window by the clock of the place where the parcels go: `Tue 24 Nov, 8 am – 6 pm, Darwin time`. */
export function deliverWords({ consignment, zone }: Timed): string {
  const clocks = { zone: windowZone(consignment, zone), reader: zone.name, nowMs: 0 }
  return formatWindowAt(consignment.window, clocks, 'dated')
}

function windowZone({ to }: Consignment, store: Zone): string {
  const state = findState(to.state)
  return state === undefined ? store.name : getZoneName(state, to.postCode)
}

/** Instructions for the driver, one sentence each. */
export function listInstructions(consignment: Consignment): string[] {
  const { pickupInstructions, specialInstructions } = consignment
  return [
    ...(consignment.idCheckRequired ? ['Hand it to an adult who shows ID.'] : []),
    ...(consignment.signatureRequired ? ['Take a signature.'] : []),
    ...(consignment.authorityToLeave ? ['It may be left at the door.'] : []),
    ...(pickupInstructions ? [`At pickup: ${pickupInstructions}`] : []),
    ...(specialInstructions ? [`At delivery: ${specialInstructions}`] : []),
  ]
}

function toNote({ consignment, booking, carrierName, sandbox, zone }: NoteFacts): ConsignmentNote {
  const articleIds = new Map(booking.articles.map((row) => [row.parcelReference, row.articleIds]))
  return {
    carrierName,
    sandbox,
    serviceName: consignment.carrierCode,
    consignmentNumber: booking.consignmentNumber,
    reference: consignment.reference,
    from: toNoteEnd(consignment.from),
    to: toNoteEnd(consignment.to),
    ready: readyWords({ consignment, zone }),
    deliver: deliverWords({ consignment, zone }),
    instructions: listInstructions(consignment),
    parcels: consignment.parcels.map((parcel) => ({
      reference: parcel.reference,
      type: parcel.type,
      quantity: parcel.quantity,
      size: `${parcel.lengthCm} × ${parcel.widthCm} × ${parcel.heightCm}`,
      weightKg: parcel.weightKg,
      dangerousGoods: parcel.unNumber ?? '',
      articleIds: articleIds.get(parcel.reference) ?? [],
    })),
  }
}

function toNoteEnd(stop: Stop): NoteEnd {
  const { name, company, phone, city, state, postCode } = stop
  const street = formatStreet(stop)
  return {
    name: company && company !== name ? `${name}, ${company}` : name,
    phone: phone ?? '',
    lines: [street, `${city} ${state} ${postCode}`],
  }
}

function endCells(stop: Stop): (string | null)[] {
  return [stop.name, stop.phone, formatStreet(stop), stop.city, stop.state, stop.postCode]
}

function formatStreet({ address, address2 }: Stop): string {
  return [address2, address].filter(Boolean).join(', ')
}
