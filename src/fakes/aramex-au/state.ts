import type { FakeServer } from '../fake.ts'
import type { Schedule } from '../schedule.ts'
import type { Asked, Item } from './read-consignment.ts'

export type Scan = { type: string; typeWords: string; words: string; status: string; atMs: number }

export type KeptItem = Item & { conItemId: number; label: string; cents: number; scans: Scan[] }

export type Kept = {
  conId: number
  createdMs: number
  asked: Asked
  items: readonly KeptItem[]
  deleted: boolean
}

/** The whole state of this Aramex Australia, for its one client. */
export type AramexState = {
  desk: FakeServer
  schedule: Schedule
  /** By conId, the oldest first. */
  consignments: Map<number, Kept>
  labels: Map<string, KeptItem>
  /** The account's balance; null: it pays by invoice. */
  availableCents: number | null
}
