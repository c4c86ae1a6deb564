import { seeded } from '../../harness/random.ts'
import type { SystemUnderTest } from '../system-under-test.ts'
import { amendAndBook } from './amend-and-book.ts'
import { oneLink } from './one-link.ts'
import { oneReference } from './one-reference.ts'
import type { Race } from './race.ts'
import { twoManifests } from './two-manifests.ts'

export const RACES = {
  'one reference': oneReference,
  'amend and book': amendAndBook,
  'two manifests': twoManifests,
  'one link': oneLink,
} as const satisfies Record<string, Race>
export type RaceName = keyof typeof RACES

export type RaceResult = {
  name: RaceName
  run: number
  seconds: number
  /** How often it ended in each way. */
  ends: ReadonlyMap<string, number>
  wrong: string[]
}

/** One race at a time in each store, because a manifest takes all deliveries of its store. */
const LANES = [
  'melbourne-cbd',
  'fitzroy',
  'sydney-cbd',
  'parramatta',
  'brisbane-cbd',
  'adelaide-cbd',
  'hobart-cbd',
  'canberra-city',
]
const OTHER_STORE = 'perth-cbd'

export type RaceOptions = { seed: number; count: number; first?: number; onProgress?(done: number): void }

/** Runs a race `count` times, one in each store at a time, and checks the final state against its promise. */
export async function runRaces(
  system: SystemUnderTest,
  name: RaceName,
  { seed, count, first = 0, onProgress }: RaceOptions,
): Promise<RaceResult> {
  const race: Race = RACES[name]
  const ends = new Map<string, number>()
  const wrong: string[] = []
  const beganMs = performance.now()
  let next = first
  const lane = async (store: string): Promise<void> => {
    while (next < first + count) {
      const number = next++
      const random = seeded(seed * 1_000_003 + number)
      const start = { system, number, store, otherStore: OTHER_STORE, random }
      const outcome = await race
        .run(start)
        .catch((error: Error) => ({ ended: 'with an error', wrong: [error.message] }))
      ends.set(outcome.ended, (ends.get(outcome.ended) ?? 0) + 1)
      wrong.push(...outcome.wrong.map((what) => `race ${number} (seed ${seed}): ${what}`))
      onProgress?.(number + 1 - first)
    }
  }
  await Promise.all(LANES.map(lane))
  wrong.push(...((await race.audit?.(system)) ?? []))
  return { name, run: count, seconds: (performance.now() - beganMs) / 1_000, ends, wrong }
}
