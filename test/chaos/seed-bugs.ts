import pg from 'pg'
import type { App } from '../../src/bootstrap/composition-root.ts'
import type { Breach } from './checker.ts'
import type { Beat } from './schedule.ts'
import { PLANTS, type Plant, type PlantName, type Role } from './seeded-bugs.ts'

export function settingsOf(names: readonly PlantName[]): Record<string, string> {
  return Object.assign({}, ...names.map((name) => (PLANTS[name] as Plant).settings ?? {}))
}

const USUAL_SECONDS = 25

export function secondsOf(name: PlantName): number {
  return (PLANTS[name] as Plant).seconds ?? USUAL_SECONDS
}

/** The promise that the bug must break, in words that only this bug causes. */
export function isCaughtBy(name: PlantName, { promise, says }: Breach): boolean {
  const { breaks, as = /./ } = PLANTS[name] as Plant
  return promise === breaks && as.test(says)
}

const PROVOKED_EVERY = 3

/** The schedule, with the faults that reveal these bugs in between, or those alone. */
export function* provoked(beats: Iterable<Beat>, names: readonly PlantName[]): Generator<Beat> {
  const plants = names.map((name) => PLANTS[name] as Plant)
  const acts = plants.flatMap(({ provoke }) => provoke ?? [])
  const calm = plants.some((plant) => plant.calm)
  let count = 0
  for (const beat of beats) {
    if (calm) for (const act of acts) yield { pauseMs: beat.pauseMs, act }
    else {
      if (count % PROVOKED_EVERY === 0) for (const act of acts) yield { pauseMs: 0, act }
      yield beat
    }
    count += 1
  }
}

/** Seeds those of these bugs that are in the tables. */
export async function plantInDatabase(url: string, names: readonly PlantName[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const name of names) await client.query((PLANTS[name] as Plant).sql ?? '')
  } finally {
    await client.end()
  }
}

/** Whether a process of this kind gets any of these bugs. */
export function isPlanted(role: Role, names: readonly PlantName[]): boolean {
  return names.some((name) => (PLANTS[name] as Plant)[role] !== undefined)
}

/** Seeds those of these bugs that are in a process of this kind, before it starts. */
export function plantInProcess(role: Role, parts: App, names: readonly PlantName[]): void {
  for (const name of names) (PLANTS[name] as Plant)[role]?.(parts)
}
