import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Carrier } from '../carriers/port/carrier.ts'
import type { CarrierAccount } from '../domain/account/account.ts'
import type { Notifier } from '../notify/notifier.ts'
import type { PostWebhook } from '../notify/webhook-post.ts'
import type { OpenIdClient } from '../outbound/openid-client.ts'
import type { NewDelivery } from '../store/deliveries/create-deliveries.ts'
import type { DeliveryKey } from '../store/deliveries/deliveries.ts'
import type { DeliveryRow } from '../store/deliveries/delivery-rows.ts'
import type { DueQueue } from '../store/leases/find-due-accounts.ts'
import type { InFlightByAccount } from './concurrency/in-flight.ts'
import type { PacedQueue } from './concurrency/paced-queue.ts'
import type { AccountDirectory, AccountEntry } from './directory/account-directory.ts'
import type { PublishMarks } from './events/publish-committed.ts'
import type { Sealer } from './secrets/seal.ts'

/** The dependencies of operations, wired by `composition-root.ts`. Plain values and functions; no container. */
export type Deps = {
  db: Pool
  accounts: AccountDirectory
  /** Rows of the claimed kind that this process is working on, by account. Accounts with fewer are claimed first. */
  inFlight: InFlightByAccount
  /** The accounts that have something due in a queue. */
  dueAccounts(queue: DueQueue): Promise<ReadonlySet<string>>
  /** Records a use of an API client; called whenever a client takes or uses a token. */
  clientUsed(accountId: string, clientId: string): void
  /** The carrier that an account's provider key names (or last named), with its credentials; null if unknown. */
  carrierOf(entry: AccountEntry, provider: string): Carrier | null
  /** A carrier of a document that is not applied, to check its sign-in; it counts in no metric and no outage. */
  draftCarrierOf(entry: Pick<AccountEntry, 'account' | 'secretOf'>, carrier: CarrierAccount): Carrier | null
  /** `newId('dlv')`: prefixed, unique, sortable by time. */
  newId(prefix: IdPrefix): string
  /** How far back this process looks for events to publish. */
  publishMarks: PublishMarks
  /** Inserts a delivery, batched with other pending calls; false if its reference is taken. */
  createDelivery(delivery: NewDelivery): Promise<boolean>
  /** Queue of the calls that wait to create a delivery. */
  createLine: PacedQueue
  /** The current delivery, or null. Concurrent calls are batched into one statement. */
  findDelivery(key: DeliveryKey): Promise<DeliveryRow | null>
  /** Wakes the due-work runners of this process and the others. */
  wake(): void
  /** Lease time of a claimed row; wall time. */
  leaseMs: number
  /** Channels to customers. A message without a channel is only stored for reading. */
  notifier: Notifier
  /** Posts to a URL that the merchant chose; never throws, never reaches a private address. */
  postWebhook: PostWebhook
  /** Webhooks may use private addresses and plain HTTP: set by the operator, for tests. */
  allowPrivateWebhooks: boolean
  /** Logs people in with the OpenID Connect providers of accounts; never throws, never reaches a private address. */
  openIdClient: OpenIdClient
  /** This installation serves real merchants, so publicly known credentials are rejected. */
  live: boolean
  log: Logger
  /** Encrypts secrets that must be readable again: those of carriers and webhooks. */
  sealer: Sealer
  secretKey: string
  /** Log2 of the scrypt cost of a password check; the usual cost if absent. Tests set it lower to save time. */
  passwordLogN?: number
  publicUrl: string
}

export type IdPrefix =
  | 'dlv'
  | 'sto'
  | 'brd'
  | 'man'
  | 'lnk'
  | 'job'
  | 'evt'
  | 'cou'
  | 'whk'
  | 'usr'
  | 'ses'
  | 'psk'
  | 'ast'
  | 'gra'
  | 'aud'
