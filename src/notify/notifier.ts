/** Ways to reach people. Null: not set up, so messages are only kept to be read. */
export type Notifier = { sms: Channel | null; email: Channel | null }

export type Channel = {
  /**
   * Whether the same message may be handed over again after an unknown outcome: true where the other side takes
   * one id only once. Where it is false, a message that may have been sent is not sent again.
   */
  honoursIds: boolean
  /** Hands over one message within `SEND_MS`. Never throws: a failure is a value. */
  send(message: Outgoing): Promise<SendOutcome>
}

/** `id` is ours and stays the same however often the message is handed over. `from` is a name for people. */
export type Outgoing = {
  id: string
  to: string
  from: string
  subject: string | null
  body: string
  /** For e-mail alone. */
  attachments?: readonly Attachment[]
}

export type Attachment = { name: string; mediaType: string; bytes: Buffer }

/** `again`: the same message may be taken later. `said` is for people, and names no customer. */
export type SendOutcome =
  | { kind: 'yes' }
  | { kind: 'no'; again: boolean; said: string }
  | { kind: 'unknown'; said: string }

/** No channel takes longer than this to say what became of a message; leases are longer. */
export const SEND_MS = 10_000
