/** The state of the sandbox carriers. One implementation: `src/store/sandbox/sandbox.ts`. */
export type SandboxStore = {
  /**
   * Stores the consignment and its `booked` ledger row in one transaction. False: its idempotency key has a
   * consignment already, and nothing was written.
   */
  book(consignment: NewSandboxConsignment): Promise<boolean>
  /** Marks it cancelled and writes the ledger row, once. False: it was cancelled before, or lodged. */
  cancel(consignment: SandboxConsignment, atMs: number): Promise<boolean>
  /**
   * Stores the order, marks its consignments and writes the ledger row in one statement. False: one of them
   * doesn't exist, is cancelled or (with `once`) is in an order already, and nothing was written.
   */
  lodge(order: NewSandboxOrder): Promise<boolean>
  /** Oldest first, including orders that a look-up doesn't show yet. */
  listOrders(accountId: string, carrier: string, reference: string): Promise<SandboxOrder[]>
  record(entry: SandboxLedgerEntry): Promise<void>
  findByKey(accountId: string, carrier: string, key: string): Promise<SandboxConsignment | null>
  /** Oldest first, including consignments that a look-up doesn't show yet. */
  listByReference(accountId: string, carrier: string, reference: string): Promise<SandboxConsignment[]>
  listByNumber(accountId: string, carrier: string, numbers: readonly string[]): Promise<SandboxConsignment[]>
}

export type SandboxConsignment = {
  accountId: string
  carrier: string
  consignmentNumber: string
  /** The caller's own reference at this carrier. */
  reference: string
  idempotencyKey: string | null
  merchantReference: string
  /** Request and response exactly as sent, in the carrier's format. */
  request: unknown
  answer: unknown
  /** Account time. */
  bookedAtMs: number
  cancelledAtMs: number | null
  /** The order that it was lodged in; the last one if the carrier allows several. */
  orderId: string | null
  /** Whether a look-up by reference shows it by now (wall time). */
  findable: boolean
  /** How many of its events have been pushed. */
  pushed: number
}

export type NewSandboxConsignment = Omit<
  SandboxConsignment,
  'cancelledAtMs' | 'orderId' | 'findable' | 'pushed'
> & {
  findableAfterMs: number
  /** When its first event is due to be pushed (account time); null for a carrier that is polled. */
  dueAtMs: number | null
}

/** Consignments that are handed over together. */
export type SandboxOrder = {
  orderId: string
  /** Exactly as sent. */
  answer: unknown
  findable: boolean
}

export type NewSandboxOrder = Omit<SandboxOrder, 'findable'> & {
  accountId: string
  carrier: string
  /** The caller's own reference of the order. */
  reference: string
  consignmentNumbers: readonly string[]
  once: boolean
  lodgedAtMs: number
  findableAfterMs: number
}

/**
 * The result of a push: how many events are pushed by now, and when the next is due (account time; null: no
 * more).
 */
export type SandboxPushed = { pushed: number; dueAtMs: number | null; refused: boolean }

export type SandboxLedgerEntry = {
  accountId: string
  atMs: number
  carrier: string
  operation: 'book' | 'cancel' | 'find' | 'manifest'
  /** The merchant's reference; if the carrier can't know it, the number or id in the request. */
  reference: string
  /** Idempotency key of the booking, or the caller's reference if the carrier ignores keys. */
  idempotencyKey: string | null
  outcome: SandboxOutcome
  consignmentNumber: string | null
}

export type SandboxOutcome =
  | 'booked'
  | 'lodged'
  | 'replayed'
  | 'rejected'
  | 'refused'
  | 'found'
  | 'not_found'
  | 'cancelled'
  | 'already_cancelled'
