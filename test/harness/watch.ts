import type { Pool } from 'pg'
import { quarantineTier } from '../../src/store/leases/poison-row-quarantine.ts'

export type Watch = {
  /** How long due work waited after its last lease had expired. */
  lapses(): Waits
  /** How long the outcome of an attempt stayed unknown after its carrier's settle time. */
  unknowns(): Waits
  /** Orphaned bookings that their carriers have not cancelled yet. */
  openOrphans(): Promise<number>
  /** Abandoned bookings that still have a look-up scheduled. */
  openLooks(): Promise<number>
  /** Ids of deliveries on hold whose carrier Drover will ask again. */
  rechecked(): Promise<ReadonlySet<string>>
  stop(): void
}

/** Figures of the observed waits; null if there were none. */
export type Waits = {
  medianMs: number | null
  p99Ms: number | null
  longestMs: number | null
  /**
   * Counted separately: work that killed five workers waits for a quarantine slot, and after eight it is dead-lettered.
   */
  suspects: { count: number; longestMs: number | null }
}

type Kind = 'lapse' | 'unknown'
type Seen = { kind: Kind; one: string; ms: number; claims: number; deadLettered: boolean }

const LOOK_MS = 400

/** Watches for work in the database that no process has claimed. Skips a look while the database is down. */
export function watchDatabase(db: Pool): Watch {
  const seen = { lapse: new Map<string, Wait>(), unknown: new Map<string, Wait>() }
  const timer = setInterval(async () => {
    const { rows } = await db.query<Seen>(WAITING).catch(() => ({ rows: [] }))
    for (const { kind, one, ms, claims, deadLettered } of rows) {
      const suspect = deadLettered || quarantineTier({ claims: claims + 1 }) !== null
      seen[kind].set(one, { ms, suspect: suspect || (seen[kind].get(one)?.suspect ?? false) })
    }
  }, LOOK_MS)
  return {
    lapses: () => waitsOf([...seen.lapse.values()]),
    unknowns: () => waitsOf([...seen.unknown.values()]),
    openOrphans: () => countOf(db, OPEN_ORPHANS),
    openLooks: () => countOf(db, OPEN_LOOKS),
    rechecked: async () => new Set((await db.query<{ id: string }>(RECHECKED)).rows.map(({ id }) => id)),
    stop: () => clearInterval(timer),
  }
}

async function countOf(db: Pool, text: string): Promise<number> {
  const { rows } = await db.query<{ open: number }>(text)
  return rows[0]?.open ?? 0
}

export type Wait = { ms: number; suspect: boolean }

export function waitsOf(waits: readonly Wait[]): Waits {
  const { suspects = [], others = [] } = Object.groupBy(waits, ({ suspect }) =>
    suspect ? 'suspects' : 'others',
  )
  const sorted = others.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b)
  return {
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? null,
    p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? null,
    longestMs: sorted.at(-1) ?? null,
    suspects: {
      count: suspects.length,
      longestMs: suspects.length === 0 ? null : Math.round(Math.max(...suspects.map(({ ms }) => ms))),
    },
  }
}

const OPEN_ORPHANS = 'select count(*)::int as open from orphaned_bookings where due_at is not null'
const OPEN_LOOKS = 'select count(*)::int as open from booking_intents where due_at is not null'
const RECHECKED = `select delivery_id as id from deliveries where status = 'on_hold' and due_at is not null`
/** An attempt or a lease by name, and how long it has waited. */
const WAITING = `
  select 'lapse' as kind, account_id || '/' || delivery_id || '/' || fence as one,
    extract(epoch from now() - lease_until)::float8 * 1000 as ms, claims, dead_lettered_at is not null as dead_lettered
  from deliveries join accounts using (account_id)
  where lease_until < now() and due_at <= now() + clock_offset_ms * interval '1 millisecond'
  union all
  select 'unknown', account_id || '/' || delivery_id || '/' || attempt,
    extract(epoch from now() - settle_until)::float8 * 1000, deliveries.claims, dead_lettered_at is not null
  from booking_intents join deliveries using (account_id, delivery_id)
  where state in ('sent', 'unknown') and settle_until < now()`
