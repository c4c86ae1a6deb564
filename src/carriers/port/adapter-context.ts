import type { CourierMailPort } from './courier-mail.ts'
import type { Send } from './send.ts'
import type { TokenCache } from './token-cache.ts'

/** What a carrier is made of: a wire, and what one account signs in with. */
export type AdapterContext = {
  send: Send
  credentials: Readonly<Record<string, string>>
  /** What the account document sets for this adapter; each adapter reads its own by a schema. */
  settings?: Readonly<Record<string, unknown>>
  /** The carrier's own system that is spoken to. */
  environment?: Environment
  /** Where sign-ins are left for the other processes; absent: each signs in alone. */
  tokens?: TokenCache | undefined
  /** How couriers without an interface are told, where the adapter needs it. */
  desk?: CourierMailPort
  /** For webhook timestamps, which are always the wall clock's. */
  wallMs(): number
}

export type Environment = 'sandbox' | 'production'
