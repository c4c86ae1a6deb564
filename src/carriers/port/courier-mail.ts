import type { Booking, Consignment, Lodged, ManifestOrder, Outcome } from './carrier.ts'

/**
 * Mail port of a courier without an API. A yes means that the mail server accepted the message. Sending again
 * under the same key sends the same message, so the courier's staff recognise a duplicate.
 */
export type CourierMailPort = {
  /** Null: no mail is sent; the courier reads its bookings and manifests on the pickup page. */
  book(email: string | null, consignment: Consignment): Promise<Outcome<Booking>>
  submit(email: string | null, order: ManifestOrder): Promise<Outcome<Lodged>>
  callOff(email: string, consignmentNumber: string): Promise<Outcome<null>>
}
