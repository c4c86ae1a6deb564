import type { Status } from '../../src/domain/delivery/status.ts'
import type { BookedDelivery } from '../harness/bookings.ts'
import type { RecordedRequest } from '../harness/client.ts'
import type { FoundManifest } from '../harness/hand-over.ts'
import type { LedgerEntry, Order } from '../harness/ledger.ts'
import type { Sms } from '../sms-gateway.ts'
import type { AccountName } from './account.ts'
import type { Job } from './jobs.ts'
import type { Hook } from './parties.ts'

/**
 * The evidence at the end of a run: clients' responses, carriers' and receivers' ledgers, and what the API returns.
 */
export type Evidence = {
  jobs: readonly Job[]
  history: readonly RecordedRequest<AccountName>[]
  /** Responses that no injected fault explains, recorded as they arrived. */
  wrong: readonly string[]
  endedByThemselves: readonly string[]
  deliveries: readonly FoundDelivery[]
  manifests: readonly FoundManifest[]
  /** The feed of the account `chaos`, from its beginning. */
  feed: readonly FeedEvent[]
  messages: readonly FoundMessage[]
  audit: readonly { account: AccountName; action: string; object: string | null }[]
  /** Entries of all carriers' ledgers; each carrier's in its order. */
  ledgerEntries: readonly LedgerEntry[]
  orders: readonly Order[]
  /** Keys of look-ups that a carrier answered with an empty list. */
  unlisted: readonly string[]
  /** Webhooks of each receiver, in the order of arrival. */
  hooks: readonly (readonly Hook[])[]
  texts: readonly Sms[]
  labels: readonly { reference: string; whole: boolean }[]
}

export type FoundDelivery = BookedDelivery & {
  account: AccountName
  status: Status
  status_reason?: string
  special_instructions?: string
  requested_at?: string
  booked_at?: string
  manifest_status: string
  label_url?: string
}
export type FeedEvent = {
  id: string
  type: string
  sequence: number
  deliveryId: string
  status: Status | null
  previous: Status | null
}
export type FoundMessage = { id: string; kind: string; template: string; status: string; deliveryId: string }
