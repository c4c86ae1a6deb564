import { composeApp } from '../../../src/bootstrap/composition-root.ts'
import { table } from '../../../src/cli/table.ts'
import { makeLog } from '../../../src/log.ts'
import type { CleanUps } from '../../harness/clean-ups.ts'
import { SECRET_KEY } from '../../harness/cluster.ts'
import { readOptions } from '../../harness/options.ts'
import { countProgress } from '../../harness/progress.ts'
import { conclude } from '../../harness/report.ts'
import { startSystem } from '../system-under-test.ts'
import { type GuessResult, runGuessing, TARGETS } from './run-guessing.ts'

/** Phone numbers reserved for fiction. */
export function phonesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+6149157${String(index).padStart(4, '0')}`)
}

/**
 * An attacker who knows all but the secret guesses one-time codes, links and order numbers: `--guesses`, `--phones`.
 */
export async function guessingCommand(cleanUps: CleanUps, args: string[]): Promise<boolean> {
  const { seed, counts } = readOptions(
    args,
    { guesses: [20_000, 0], phones: [1_000, 0], 'at-once': [32, 1] },
    {},
  )
  const { guesses, phones, 'at-once': atOnce } = counts
  const system = await startSystem(cleanUps)
  const parts = composeApp({
    config: { secretKey: SECRET_KEY, publicUrl: 'http://drover.test' },
    databaseUrl: system.databaseUrl,
    name: 'guessing',
    log: makeLog('silent'),
  })
  cleanUps.after(() => parts.stop())
  await parts.start({ work: false })
  console.log(`Seed ${seed}: ${guesses} guesses, ${phones} couriers, two api processes.`)
  const site = { system, deps: parts.deps, phones: phonesOf(phones) }
  const results = await runGuessing(site, {
    ...{ seed, guesses, atOnce },
    onProgress: countProgress(TARGETS.length, 'targets'),
  })
  console.log(tableOf(results))
  return conclude(
    results.flatMap((result) => result.wrong),
    guesses,
    'guesses',
  )
}

function tableOf(results: readonly GuessResult[]): string {
  return table(
    ['secret', 'guesses', 'compared', 'at most', 'rejected', 'succeeded', 'by chance'],
    results.map(({ target, guesses, answers, expected, seconds }) => [
      ...[target.what, `${guesses}`, `${answers.compared + answers.in}`],
      ...[target.max ? `${Math.ceil(target.max(seconds))}` : '', `${answers.rejected}`, `${answers.in}`],
      expected < 1e-9 ? 'never' : expected.toPrecision(2),
    ]),
  )
}
