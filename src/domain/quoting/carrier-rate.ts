import type { Window } from '../values.ts'
import type { PriceLine } from './decision.ts'

/** A carrier's own price for a job. The lines sum to `priceCents`, GST included. */
export type CarrierRate = {
  carrierCode: string
  priceCents: number
  lines: readonly PriceLine[]
  /** The quote id that holds the carrier to this price at booking; null when the carrier has no quote ids. */
  quoteId: string | null
  /** When the quote expires, in wall time. */
  expiresAtMs: number
  /** The carrier's delivery window; null: the account's own timing of the service applies. */
  window: Window | null
}

/** One carrier's response to a rate request; `message` is part of a sentence. */
export type RateResponse =
  | { kind: 'rates'; byCode: ReadonlyMap<string, CarrierRate> }
  | { kind: 'none'; message: string; mayComeLater: boolean }

/** Provider → its response. Missing providers got no request. */
export type RateResponses = ReadonlyMap<string, RateResponse>
