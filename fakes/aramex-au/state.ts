import type { FakeServer } from '../fake.ts'
import type { Schedule } from '../schedule.ts'
import type { Asked, Item } from './read-consignment.ts'

export type Scan = { type: string; typeText: string; text: string; status: string; atMs: number }

export type StoredItem = Item & { conItemId: number; label: string; cents: number; scans: Scan[] }

export type StoredConsignment = {
  conId: number
  createdMs: number
  asked: Asked
  items: readonly StoredItem[]
  deleted: boolean
}

/** The whole state of this Aramex Australia, for its one client. */
export type AramexState = {
  server: FakeServer
  schedule: Schedule
  /** By conId, the oldest first. */
  consignments: Map<number, StoredConsignment>
  labels: Map<string, StoredItem>
  /** The account's balance; null: it pays by invoice. */
  availableCents: number | null
}
