import type { Send } from './send.ts'

/** What a carrier is made of: a wire, and what one account signs in with. */
export type CarrierAccess = {
  send: Send
  credentials: Readonly<Record<string, string>>
  /** For webhook timestamps, which are always the wall clock's. */
  wallMs(): number
}
