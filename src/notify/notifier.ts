/** Channels to people. Null: not configured, so messages are only stored for reading. */
export type Notifier = { sms: Channel | null; email: Channel | null }

export type Channel = {
  /**
   * Whether a message may be sent again after an unknown outcome: true if the receiver accepts each id only
   * once. If it is false, a message that may have been sent is not sent again.
   */
  honoursIds: boolean
  /** Sends one message within `SEND_MS`. Never throws: a failure is a value. */
  send(message: Outgoing): Promise<SendOutcome>
}

/**
 * Idempotency key: `id` is ours and stays the same at every retry. `from` is the sender's name as people read
 * it.
 */
export type Outgoing = {
  id: string
  to: string
  from: string
  subject: string | null
  body: string
  /** Only for email. */
  attachments?: readonly Attachment[]
}

export type Attachment = { name: string; mediaType: string; bytes: Buffer }

/** `again`: a retry may succeed. `message` is for people, and names no customer. */
export type SendOutcome =
  | { kind: 'yes' }
  | { kind: 'no'; again: boolean; message: string }
  | { kind: 'unknown'; message: string }

/** Every channel returns an outcome within this time; leases are longer. */
export const SEND_MS = 10_000
