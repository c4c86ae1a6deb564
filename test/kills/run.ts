import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { exampleDocument } from '../demo-account.ts'
import { TUESDAY_TEN_MS } from '../fixture.ts'
import { openAccount, operatorOf, setClock } from '../harness/accounts.ts'
import { makeClient } from '../harness/client.ts'
import { asker, signedIn } from '../harness/http.ts'
import { type Breach, findBreaches } from '../harness/promises.ts'
import { countEach } from '../harness/report.ts'
import { type Waits, watchDatabase } from '../harness/watch.ts'
import { startFleet } from './fleet.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { killJobs } from './jobs.ts'
import { type Act, runNemesis } from './nemesis.ts'
import { PROMISES, type PromiseName } from './promises.ts'
import type { SeededBugName } from './seeded-bugs.ts'
import { createJobs } from './shop.ts'

export type KillOptions = {
  database: { url: string; pool: Pool }
  seed: number
  jobs: number
  /** For how long a process is killed every second. */
  seconds: number
  leaseMs: number | null
  /** How long a worker is sometimes stopped; null: never. */
  freezeMs: number | null
  seededBugs: readonly SeededBugName[]
  /** How long to wait until all work is done; the run waits twice. */
  restPatienceMs: number
}

export type KillResult = {
  breaches: Breach<PromiseName>[]
  /** Deliveries by their status at the end. */
  ends: Record<string, number>
  acts: Act[]
  /** Kills that hit a process in the middle of a carrier call, by operation. */
  cut: Record<string, number>
  /** Client requests whose outcome was unknown at first. */
  unknown: number
  acknowledged: number
  /** From the last fault until all work was done. */
  restMs: number
  /** How long work of a dead process waited after its lease had expired. */
  lapses: Waits
}

/** Southern's time-out is shorter than its slow bookings take: they complete after we gave up on them. */
const TIMEOUT_MS: Record<string, number> = { swiftly: 4_000, southern_parcels: 1_000, big_haul: 4_000 }
const HOUR_MS = 3_600_000
const OPERATOR = 'demo-operator'

/**
 * One run: clients create jobs while processes die, then faults stop until all work is done, then records are
 * compared.
 */
export async function runKills(options: KillOptions): Promise<KillResult> {
  const { database, seed, jobs: count, seconds, seededBugs } = options
  const fleet = await startFleet({ databaseUrl: database.url, leaseMs: options.leaseMs, seededBugs })
  const watch = watchDatabase(database.pool)
  try {
    const operate = operatorOf([fleet.apiUrl], OPERATOR)
    const demo = signedIn(asker(`${fleet.apiUrl}/demo`), await openAccount(operate, accountDocument()))
    await setClock(operate, 'demo', () => TUESDAY_TEN_MS)
    const client = makeClient({ asks: { demo }, canaryOf: null })
    const jobs = killJobs(seed, count, seconds * 600)
    const creating = createJobs(client, jobs)
    creating.catch(() => {})
    const acts = await runNemesis(fleet, database.pool, options)
    client.limitRetries()
    const beganRest = performance.now()
    await creating
    await atRest(database.pool, options.restPatienceMs, "and reference not like '%-down'")
    const restMs = performance.now() - beganRest
    // Past the account's time limit, so that deliveries without a reachable carrier are left to clerks.
    await setClock(operate, 'demo', () => TUESDAY_TEN_MS + 5 * HOUR_MS)
    await atRest(database.pool, options.restPatienceMs, '')
    const { endedByThemselves } = fleet.members
    const sources = { db: database.pool, client, operate }
    const evidence = await gatherEvidence(sources, { jobs, endedByThemselves })
    return {
      breaches: findBreaches(PROMISES, evidence),
      ends: countEach(evidence.deliveries.map(({ status }) => status)),
      acts,
      cut: fleet.cut,
      unknown: client.history.filter(({ tries }) => tries > 1).length,
      acknowledged: client.history.filter(
        ({ operation, outcome }) => operation === 'create' && outcome === 'ok',
      ).length,
      restMs,
      lapses: watch.lapses(),
    }
  } finally {
    watch.stop()
    await fleet.stop()
  }
}

/** The demo account, with short time-outs. */
function accountDocument(): { tenant_id: string } {
  const document = exampleDocument('demo-account')
  for (const carrier of document.carriers) carrier.settings = { timeout_ms: TIMEOUT_MS[carrier.provider] }
  return document
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
    // The checks report deliveries that still wait, with name and reason.
    if (rows[0]?.waiting === 0 || performance.now() > endMs) return
    await sleep(250)
  }
}
