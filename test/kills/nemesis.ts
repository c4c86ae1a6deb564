import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { seeded } from '../harness/random.ts'
import { type Fleet, type Member, WORKERS } from './fleet.ts'

export type Act = { atMs: number; act: 'kill' | 'freeze' | 'disconnect'; members: readonly Member[] }

export type NemesisPlan = { seed: number; seconds: number; freezeMs: number | null }

const EVERY_MS = 1_000

/**
 * The nemesis (Jepsen's term for a fault injector). Every second it kills one worker, all workers, or the api; or the
 * database drops all connections in the middle of their statements. With `freezeMs`, it sometimes stops a worker for
 * that long. The same seed makes the same faults.
 */
export async function runNemesis(
  { members: fleet }: Pick<Fleet, 'members'>,
  db: Pool,
  { seed, seconds, freezeMs }: NemesisPlan,
): Promise<Act[]> {
  const { pick, chance } = seeded(seed ^ 0x5eed)
  const began = performance.now()
  const acts: Act[] = []
  for (let second = 1; second <= seconds; second += 1) {
    await sleep(Math.max(0, began + second * EVERY_MS - performance.now()))
    const atMs = Math.round(performance.now() - began)
    if (freezeMs !== null && chance(0.15)) {
      const members = [pick(WORKERS)]
      if (members.some((member) => fleet.freeze(member, freezeMs)))
        acts.push({ atMs, act: 'freeze', members })
      continue
    }
    if (chance(0.1)) {
      if (await disconnectAll(db)) acts.push({ atMs, act: 'disconnect', members: [] })
      continue
    }
    const wanted: readonly Member[] = chance(0.15) ? ['api'] : chance(0.25) ? WORKERS : [pick(WORKERS)]
    const members = wanted.filter((member) => fleet.kill(member, { evenStarting: true }))
    acts.push({ atMs, act: 'kill', members })
  }
  return acts
}

/** False if the machine was too busy to connect: then no connection was dropped, and the fault does not count. */
async function disconnectAll(db: Pool): Promise<boolean> {
  try {
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'drover test'`,
    )
    return true
  } catch {
    return false
  }
}
