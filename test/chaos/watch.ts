import type { Pool } from 'pg'

export type Watch = {
  /** How long due work lay after the lease of whoever had it had ended, at most. */
  longestLapseMs(): number
  /** How long an attempt without an answer was unknown after its carrier had settled, at most. */
  longestUnknownMs(): number
  /** Bookings that stand beside what their deliveries stand on, and that their carriers have not let go yet. */
  openStrays(): Promise<number>
  stop(): void
}

const LOOK_MS = 400

/** `booked after a death`: what a database says of work that nobody has in hand. Not asked while it is down. */
export function watchDatabase(db: Pool): Watch {
  const longest = { lapse: 0, unknown: 0 }
  const timer = setInterval(async () => {
    const { rows } = await db
      .query<{ lapse: number | null; unknown: number | null }>(LAPSES)
      .catch(() => ({ rows: [] }))
    longest.lapse = Math.max(longest.lapse, rows[0]?.lapse ?? 0)
    longest.unknown = Math.max(longest.unknown, rows[0]?.unknown ?? 0)
  }, LOOK_MS)
  return {
    longestLapseMs: () => longest.lapse,
    longestUnknownMs: () => longest.unknown,
    async openStrays() {
      const { rows } = await db.query<{ open: number }>(OPEN_STRAYS)
      return rows[0]?.open ?? 0
    },
    stop: () => clearInterval(timer),
  }
}

const OPEN_STRAYS = 'select count(*)::int as open from stray_bookings where due_at is not null'
const LAPSES = `
  select
    (select max(extract(epoch from now() - lease_until) * 1000)::float8
       from deliveries join accounts using (account_id)
       where lease_until < now() and due_at <= now() + clock_offset_ms * interval '1 millisecond') as lapse,
    (select max(extract(epoch from now() - settle_until) * 1000)::float8
       from booking_intents where state in ('sent', 'unknown') and settle_until < now()) as unknown`
