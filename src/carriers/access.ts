import type { Budget } from './budget.ts'
import type { Send } from './send.ts'

/** What a carrier is made of: a wire, and what one account signs in with. */
export type CarrierAccess = {
  send: Send
  credentials: Readonly<Record<string, string>>
  /** What the account document sets for this adapter; each adapter reads its own by a schema. */
  settings?: Readonly<Record<string, unknown>>
  /** The carrier's own system that is spoken to. */
  environment?: Environment
  /** For webhook timestamps, which are always the wall clock's. */
  wallMs(): number
  /** What many processes may ask a carrier together; without one, each adapter's calls are free. */
  budget?: Budget
}

export type Environment = 'sandbox' | 'production'
