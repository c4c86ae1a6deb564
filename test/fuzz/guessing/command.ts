import { composeApp } from '../../../src/bootstrap/composition-root.ts'
import { makeLog } from '../../../src/log.ts'
import type { CleanUps } from '../../harness/clean-ups.ts'
import { readOptions } from '../../harness/options.ts'
import { countProgress } from '../../harness/progress.ts'
import { printViolations, ruleOfThree } from '../../harness/report.ts'
import { SECRET_KEY, startFleet } from '../fleet.ts'
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
  const system = await startFleet(cleanUps)
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
  const wrong = results.flatMap((result) => result.wrong)
  printViolations(wrong)
  console.log(
    wrong.length === 0
      ? `No guess succeeded beyond chance, and every limit held. Of guesses like these ${ruleOfThree(guesses)} break a limit (3/n, at 95 %).`
      : `${wrong.length} limits BROKEN.`,
  )
  return wrong.length === 0
}

function tableOf(results: readonly GuessResult[]): string {
  const head = ['secret'.padEnd(54), '  guesses', ' compared', ' rejected', 'succeeded', ' by chance'].join(
    '',
  )
  const lines = results.map(({ target, guesses, answers, expected, seconds }) =>
    [
      target.what.padEnd(54),
      ...[guesses, answers.compared + answers.in, answers.rejected, answers.in].map((n) =>
        `${n}`.padStart(9),
      ),
      `${expected < 1e-9 ? 'never' : expected.toPrecision(2)}`.padStart(10),
      target.max ? `   at most ${Math.ceil(target.max(seconds))} compared` : '',
    ].join(''),
  )
  return [head, ...lines].join('\n')
}
