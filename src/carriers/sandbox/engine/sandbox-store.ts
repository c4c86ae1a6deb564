/** What the sandbox carriers remember. One implementation: `src/store/sandbox/sandbox.ts`. */
export type SandboxStore = {
  /**
   * The consignment and its `booked` ledger row in one transaction.
   * False: its idempotency key has one already, and nothing was written.
   */
  book(consignment: NewSandboxConsignment): Promise<boolean>
  /** Marks it cancelled and writes the ledger row, once. False: it was cancelled before, or lodged. */
  cancel(consignment: SandboxConsignment, atMs: number): Promise<boolean>
  /**
   * The order, its consignments' mark and the ledger row in one statement. False: one of them is not there,
   * is cancelled or (with `once`) is in an order already, and nothing was written.
   */
  lodge(order: NewSandboxOrder): Promise<boolean>
  /** Oldest first, those that a look-up does not see yet included. */
  listOrders(accountId: string, carrier: string, reference: string): Promise<SandboxOrder[]>
  record(entry: SandboxLedgerEntry): Promise<void>
  findByKey(accountId: string, carrier: string, key: string): Promise<SandboxConsignment | null>
  /** Oldest first, those that a look-up does not see yet included. */
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
  /** Request and answer as they went over the wire, in the carrier's dialect. */
  request: unknown
  answer: unknown
  /** Account time. */
  bookedAtMs: number
  cancelledAtMs: number | null
  /** The order that it was lodged in, the last one where the carrier does not mind several. */
  orderId: string | null
  /** Whether a look-up by reference sees it by now (wall time). */
  findable: boolean
  /** How much of its news has been pushed. */
  pushed: number
}

export type NewSandboxConsignment = Omit<
  SandboxConsignment,
  'cancelledAtMs' | 'orderId' | 'findable' | 'pushed'
> & {
  findableAfterMs: number
  /** When its first news is to be pushed (account time); null where the carrier is polled. */
  dueAtMs: number | null
}

/** Consignments that are handed over together. */
export type SandboxOrder = {
  orderId: string
  /** As it went over the wire. */
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

/** What a push came to: how much is told by now, and when the next is due (account time; null: no more). */
export type SandboxPushed = { pushed: number; dueAtMs: number | null; refused: boolean }

export type SandboxLedgerEntry = {
  accountId: string
  atMs: number
  carrier: string
  operation: 'book' | 'cancel' | 'find' | 'manifest'
  /** The merchant's; where the carrier cannot know it, what it was asked by. */
  reference: string
  /** What the caller calls the booking: its key, or its reference where keys are not honoured. */
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
