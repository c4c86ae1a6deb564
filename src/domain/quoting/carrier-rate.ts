import type { Window } from '../values.ts'
import type { PriceLine } from './decision.ts'

/** What a carrier itself asks for a job. The lines sum to `priceCents`, GST included. */
export type CarrierRate = {
  carrierCode: string
  priceCents: number
  lines: readonly PriceLine[]
  /** By which a booking is held to this price; null where the carrier has no such thing. */
  quoteId: string | null
  /** Until when it may be used, in wall time. */
  expiresAtMs: number
  /** When it says it would deliver; null: the account's own timing of the service holds. */
  window: Window | null
}

/** What one carrier said when it was asked for its rates; `said` is a part of a sentence. */
export type CarrierWord =
  | { kind: 'rates'; byCode: ReadonlyMap<string, CarrierRate> }
  | { kind: 'none'; said: string; mayComeLater: boolean }

/** Provider → what it said. Who is not in it was not asked. */
export type CarrierWords = ReadonlyMap<string, CarrierWord>
