import type { z } from 'zod'
import type { Booking, Carrier, Consignment, Lodged, ManifestOrder, Outcome } from './carrier.ts'
import type { Send } from './send.ts'
import type { TokenCache } from './token-cache.ts'

/** The code that speaks to one carrier. */
export type Adapter = {
  /** One carrier for one account, reused while its credentials and settings stay the same. */
  make(access: AdapterContext): Carrier
  /** How to call a real carrier over HTTP. */
  live?: {
    /** Base URLs by the name that requests give in `at`; `api` is the default. No trailing slash. */
    urls: Readonly<Record<Environment, Readonly<Record<string, string>>>>
    /** Names of the required credentials. */
    credentials: readonly string[]
    /** What the merchant has to arrange with the carrier, as Drover can't: printed by `carrier check`. */
    toArrange?: string
  }
  /** For couriers who get their work by email, in live and sandbox accounts alike. */
  usesMail?: true
  /**
   * Its own part of a carrier's `settings`. Each rule without a Zod message (a pattern, a refinement) says in its
   * message what to write.
   */
  settings?: z.ZodObject
}

/** What an adapter needs to build a carrier: a `Send`, and one account's credentials. */
export type AdapterContext = {
  send: Send
  credentials: Readonly<Record<string, string>>
  /** The account document's settings for this adapter; each adapter reads its own by a schema. */
  settings?: Readonly<Record<string, unknown>>
  /** Which of the carrier's environments to call. */
  environment?: Environment
  /** The shared OAuth token cache; absent: each process requests its own token. */
  tokens?: TokenCache | undefined
  /** The mail port for couriers without an API, if the adapter needs it. */
  mailPort?: CourierMailPort
  /** For webhook timestamps, which are always wall-clock time. */
  wallMs(): number
}

export type Environment = 'sandbox' | 'production'

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
