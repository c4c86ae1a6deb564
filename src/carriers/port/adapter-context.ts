import type { CourierMailPort } from './courier-mail.ts'
import type { Send } from './send.ts'
import type { TokenCache } from './token-cache.ts'

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
