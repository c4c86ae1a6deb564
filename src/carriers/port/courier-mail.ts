import type { Booking, Consignment, Lodged, ManifestOrder, Outcome } from './carrier.ts'

/**
 * A courier that has no interface but people and a mailbox. A yes is the mail server's: from then on the mail is on
 * its way. Telling the same again under the same key sends the same mail, which their people see to be the same.
 */
export type CourierMailPort = {
  /** Null: he is not told, but fetches it. */
  book(email: string | null, consignment: Consignment): Promise<Outcome<Booking>>
  submit(email: string | null, order: ManifestOrder): Promise<Outcome<Lodged>>
  callOff(email: string, consignmentNumber: string): Promise<Outcome<null>>
}
