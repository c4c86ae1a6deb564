import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { parse } from 'yaml'
import { type App, composeApp } from '../../src/bootstrap/composition-root.ts'
import { makeLog } from '../../src/log.ts'
import { setAccountClock } from '../../src/operations/accounts/account-clock.ts'
import { applyAccount } from '../../src/operations/accounts/apply-account.ts'
import { ensureDemoAccounts } from '../../src/operations/accounts/demo-accounts.ts'
import { TUESDAY_TEN_MS } from '../fixture.ts'
import { type Audit, audit } from './audit.ts'
import { makeHistoryClient } from './client-history.ts'
import { startFleet } from './fleet.ts'
import { killJobs } from './jobs.ts'
import { type Act, runNemesis } from './nemesis.ts'
import type { SeededBugName } from './seeded-bugs.ts'

export type KillOptions = {
  database: { url: string; pool: Pool }
  seed: number
  jobs: number
  /** How long processes die every second. */
  seconds: number
  leaseMs: number | null
  /** How long a worker is stopped now and then; null: never. */
  freezeMs: number | null
  seededBugs: readonly SeededBugName[]
  /** How long to wait until all work is done, twice. */
  restPatienceMs: number
}

export type KillResult = Audit & {
  acts: Act[]
  /** Kills that hit a process in the middle of a carrier call, by operation. */
  cut: Record<string, number>
  /** Client requests whose outcome was unknown at first. */
  unknown: number
  acknowledged: number
  /** From the last fault until all work was done. */
  restMs: number
  /** The longest time that work of a dead process waited after its lease had expired. */
  longestLapseMs: number
}

const DEMO = new URL('../../examples/demo-account.yaml', import.meta.url)
/** Southern's time-out is shorter than its slow bookings take: they complete after we gave up on them. */
const TIMEOUT_MS: Record<string, number> = { swiftly: 4_000, southern_parcels: 1_000, big_haul: 4_000 }
const HOUR_MS = 3_600_000

/**
 * One run: clients create jobs while processes die, then faults stop until all work is done, then records are
 * compared.
 */
export async function runKills(options: KillOptions): Promise<KillResult> {
  const { database, seed, jobs: count, seconds, seededBugs } = options
  const parts = await openAccount(database.url)
  const fleet = await startFleet({ databaseUrl: database.url, leaseMs: options.leaseMs, seededBugs })
  const lapses = watchLapses(database.pool)
  try {
    const client = await makeHistoryClient(fleet.apiUrl)
    const jobs = killJobs(seed, count, seconds * 600)
    const creating = client.createJobs(jobs)
    creating.catch(() => {})
    const acts = await runNemesis(fleet, database.pool, options)
    const beganRest = performance.now()
    await creating
    await atRest(database.pool, options.restPatienceMs, "and reference not like '%-down'")
    const restMs = performance.now() - beganRest
    // Past every patience, so that deliveries without a reachable carrier are left to clerks.
    await setAccountClock(parts.deps, 'demo', TUESDAY_TEN_MS + 5 * HOUR_MS)
    await atRest(database.pool, options.restPatienceMs, '')
    return {
      ...(await audit(database.pool, client, jobs)),
      acts,
      cut: fleet.cut,
      unknown: client.history.unknown,
      acknowledged: client.history.created.size,
      restMs,
      longestLapseMs: lapses.longestMs(),
    }
  } finally {
    lapses.stop()
    await fleet.stop()
    await parts.stop()
  }
}

/** The demo account at Tuesday ten, with short time-outs. */
async function openAccount(databaseUrl: string): Promise<App> {
  const parts = composeApp({
    config: { secretKey: 'unused: it books nothing', publicUrl: 'http://drover.test' },
    databaseUrl,
    name: 'kills',
    log: makeLog('silent'),
  })
  await parts.start({ work: false })
  await ensureDemoAccounts(parts.deps)
  const document = parse(readFileSync(DEMO, 'utf8'), { merge: true })
  for (const carrier of document.carriers) carrier.settings = { timeout_ms: TIMEOUT_MS[carrier.provider] }
  await applyAccount({ ...parts.deps, accounts: parts.deps.accounts }, document, { by: 'kills' })
  await setAccountClock(parts.deps, 'demo', TUESDAY_TEN_MS)
  return parts
}

/** No booking is due or in flight, no cancellation is pending, and no orphaned booking is being cancelled. */
async function atRest(db: Pool, patienceMs: number, andWhere: string): Promise<void> {
  const endMs = performance.now() + patienceMs
  for (;;) {
    const { rows } = await db.query<{ waiting: number }>(
      `select count(*)::int as waiting from deliveries as d where dead_lettered_at is null ${andWhere}
         and (status = 'requested' or cancel_requested_at is not null or exists (select from orphaned_bookings as s
           where s.account_id = d.account_id and s.delivery_id = d.delivery_id and s.due_at is not null))`,
    )
    // Deliveries that still wait after that are found by the audit, with name and reason.
    if (rows[0]?.waiting === 0 || performance.now() > endMs) return
    await sleep(250)
  }
}

function watchLapses(db: Pool): { longestMs(): number; stop(): void } {
  let longestMs = 0
  const timer = setInterval(async () => {
    const { rows } = await db
      .query<{ lapse: number | null }>(
        `select max(extract(epoch from now() - lease_until) * 1000)::float8 as lapse
         from deliveries join accounts using (account_id)
         where lease_until < now() and due_at <= now() + clock_offset_ms * interval '1 millisecond'`,
      )
      .catch(() => ({ rows: [] }))
    longestMs = Math.max(longestMs, rows[0]?.lapse ?? 0)
  }, 200)
  return { longestMs: () => longestMs, stop: () => clearInterval(timer) }
}
