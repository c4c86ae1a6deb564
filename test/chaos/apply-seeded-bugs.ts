import pg from 'pg'
import type { App } from '../../src/bootstrap/composition-root.ts'
import type { Breach } from '../harness/promises.ts'
import type { PromiseName } from './promises.ts'
import type { ScheduledFault } from './schedule.ts'
import { type Role, SEEDED_BUGS, type SeededBug, type SeededBugName } from './seeded-bugs.ts'

export function settingsOf(names: readonly SeededBugName[]): Record<string, string> {
  return Object.assign({}, ...names.map((name) => (SEEDED_BUGS[name] as SeededBug).settings ?? {}))
}

const USUAL_SECONDS = 25

export function secondsOf(name: SeededBugName): number {
  return (SEEDED_BUGS[name] as SeededBug).seconds ?? USUAL_SECONDS
}

/** Whether this breach is the one that the bug must cause: its promise, with a text that no other bug causes. */
export function isCaughtBy(name: SeededBugName, { promise, text }: Breach<PromiseName>): boolean {
  const { breaks, as = /./ } = SEEDED_BUGS[name] as SeededBug
  return promise === breaks && as.test(text)
}

const PROVOKED_EVERY = 3

/** The schedule, with the faults that reveal these bugs in between, or those alone. */
export function* provoked(
  schedule: Iterable<ScheduledFault>,
  names: readonly SeededBugName[],
): Generator<ScheduledFault> {
  const seededBugs = names.map((name) => SEEDED_BUGS[name] as SeededBug)
  const acts = seededBugs.flatMap(({ provoke }) => provoke ?? [])
  const calm = seededBugs.some((bug) => bug.calm)
  let count = 0
  for (const scheduled of schedule) {
    if (calm) for (const act of acts) yield { pauseMs: scheduled.pauseMs, act }
    else {
      if (count % PROVOKED_EVERY === 0) for (const act of acts) yield { pauseMs: 0, act }
      yield scheduled
    }
    count += 1
  }
}

/** Seeds the given bugs in the database, as far as they change its tables. */
export async function seedInDatabase(url: string, names: readonly SeededBugName[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const name of names) await client.query((SEEDED_BUGS[name] as SeededBug).sql ?? '')
  } finally {
    await client.end()
  }
}

/** Whether a process of this kind gets any of these bugs. */
export function hasSeededBug(role: Role, names: readonly SeededBugName[]): boolean {
  return names.some((name) => (SEEDED_BUGS[name] as SeededBug)[role] !== undefined)
}

/** Seeds the given bugs in a process before it starts, as far as they concern processes of its kind. */
export function seedInProcess(role: Role, parts: App, names: readonly SeededBugName[]): void {
  for (const name of names) (SEEDED_BUGS[name] as SeededBug)[role]?.(parts)
}
