import { askedPhone, requestDriverCodes } from '../../../src/operations/own-couriers/driver-login.ts'
import { inFlight } from '../../harness/http.ts'
import { seeded } from '../../harness/random.ts'
import { CODES } from './codes.ts'
import { LINKS_AND_ADDRESSES } from './links.ts'
import type { Answer, Site, Target } from './target.ts'

export const TARGETS: readonly Target[] = [...CODES, ...LINKS_AND_ADDRESSES]

export type GuessResult = {
  target: Target
  guesses: number
  seconds: number
  answers: Record<Answer, number>
  /** How many of the compared guesses are expected to be right by chance. */
  expected: number
  wrong: string[]
}

export type GuessOptions = {
  seed: number
  guesses: number
  atOnce: number
  onProgress?(results: number): void
}

/** Guesses at each target by its share, and checks the numbers of comparisons and successes against their bounds. */
export async function runGuessing(
  site: Site,
  { seed, guesses, atOnce, onProgress }: GuessOptions,
): Promise<GuessResult[]> {
  await openCodes(site)
  const results: GuessResult[] = []
  for (const [index, target] of TARGETS.entries()) {
    const count = Math.round((guesses * target.share) / 100)
    results.push(await guessAt(site, target, { seed: seed + index, count, atOnce }))
    onProgress?.(index + 1)
  }
  return results
}

async function guessAt(
  site: Site,
  target: Target,
  { seed, count, atOnce }: { seed: number; count: number; atOnce: number },
): Promise<GuessResult> {
  const guess = await target.begin(site)
  const answers = { in: 0, compared: 0, rejected: 0 }
  const beganMs = performance.now()
  const numbers = Array.from({ length: count }, (_, number) => number)
  await inFlight(numbers, atOnce, async (number) => {
    answers[await guess(number, seeded(seed * 1_000_003 + number))] += 1
  })
  const seconds = (performance.now() - beganMs) / 1_000
  const compared = answers.compared + answers.in
  const expected = compared * target.chance
  const max = target.max && Math.ceil(target.max(seconds))
  const wrong = [
    ...(max !== null && compared > max
      ? [`${target.what}: ${compared} guesses were compared, over the limit of ${max}`]
      : []),
    ...(answers.in > luckiest(expected)
      ? [`${target.what}: ${answers.in} guesses succeeded, where chance gives ${expected}`]
      : []),
  ]
  return { target, guesses: count, seconds, answers, expected, wrong }
}

/** The number of hits that chance exceeds once in ten thousand runs (Poisson). */
export function luckiest(expected: number): number {
  let likely = Math.exp(-expected)
  let sum = likely
  let max = 0
  while (sum < 1 - 1e-4) {
    max += 1
    likely *= expected / max
    sum += likely
  }
  return max
}

/** Sends a code to each phone, and no code expires: the attacker's best case. */
async function openCodes({ deps, phones }: Site): Promise<void> {
  await deps.db.query(
    `insert into staff_couriers (account_id, courier_id, store_id, phone, driver_name)
     select 'demo', 'cou_guessed_' || phone, (select min(store_id) from stores where account_id = 'demo'), phone, 'Guessed'
     from unnest($1::text[]) as phone on conflict do nothing`,
    [phones],
  )
  await inFlight(phones, 8, async (phone) => requestDriverCodes(deps, await askedPhone(deps, phone)))
  await deps.db.query(`update driver_codes set expires_at = now() + interval '1 day'`)
}
