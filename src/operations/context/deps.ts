import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Carrier } from '../../carriers/port/carrier.ts'
import type { Notifier } from '../../notify/notifier.ts'
import type { PostWebhook } from '../../notify/webhook-post.ts'
import type { DeliveryKey } from '../../store/deliveries/batched-find.ts'
import type { NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { InFlightByAccount } from '../concurrency/in-flight.ts'
import type { PacedQueue } from '../concurrency/paced-queue.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { AccountDirectory } from './account-directory.ts'
import type { PublishMarks } from './publish-committed.ts'

/** What operations are given by `parts.ts`. Plain values and functions; no container. */
export type Deps = {
  db: Pool
  accounts: AccountDirectory
  /** Whose rows of the kind that is claimed this process works on: the others' are claimed first. */
  inHand: InFlightByAccount
  /** Hears of each client that takes or uses a token, as often as it does. */
  clientUsed(accountId: string, clientId: string): void
  /** The carrier that an account's provider key stands for or last stood for, with its credentials; null when unknown. */
  carrierOf(accountId: string, provider: string): Carrier | null
  /** `newId('dlv')`: prefixed, unique, sortable by time. */
  newId(prefix: IdPrefix): string
  /** How far back this process looks for events to publish. */
  publishMarks: PublishMarks
  /** Inserts a delivery, sharing a statement with others that wait; false when its reference is taken. */
  createDelivery(delivery: NewDelivery): Promise<boolean>
  /** Those who wait for that. */
  createLine: PacedQueue
  /** The delivery as it stands, or null; those who ask at once share a statement. */
  findDelivery(key: DeliveryKey): Promise<DeliveryRow | null>
  /** Wakes the due-work runners of this and other processes. */
  wake(): void
  /** How long a claimed row is one worker's alone; wall time. */
  leaseMs: number
  /** Ways to reach customers; a message without its channel is only kept to be read. */
  notifier: Notifier
  /** Posts to an address that a customer chose; never throws, never reaches a private address. */
  postWebhook: PostWebhook
  /** Webhooks may go to private addresses and by plain HTTP: an operator's choice, for tests. */
  allowPrivateWebhooks: boolean
  /** Real merchants are served by this installation: what everybody knows opens nothing in it. */
  live: boolean
  log: Logger
  /** Seals what must be read again: carriers' and webhooks' secrets. */
  sealer: Sealer
  secretKey: string
  /** The logarithm of what a password costs to try; the ordinary one where absent. Tests have no time for it. */
  passwordLogN?: number
  publicUrl: string
}

export type IdPrefix = 'dlv' | 'sto' | 'brd' | 'man' | 'lnk' | 'job' | 'evt' | 'cou' | 'whk' | 'usr' | 'aud'
