import type { CleanUps } from '../../harness/clean-ups.ts'
import { readOptions } from '../../harness/options.ts'
import { countProgress } from '../../harness/progress.ts'
import { errorsIn, ruleOfThree } from '../../harness/report.ts'
import { startSystem } from '../system-under-test.ts'
import { runModels } from './run-models.ts'

const MAX_SHOWN = 20

/** Merchants, couriers and customers act at random, and a model in memory predicts each result. */
export async function modelsCommand(cleanUps: CleanUps, args: string[]): Promise<boolean> {
  const { seed, counts, values } = readOptions(
    args,
    { runs: [100, 0], max: [40, 0] },
    { path: { type: 'string' }, 'replay-path': { type: 'string' } },
  )
  const { runs, max } = counts
  const { path, 'replay-path': replayPath } = values
  console.log(`Seed ${seed}: ${runs} sequences of at most ${max} commands, two api processes and a worker.`)
  const system = await startSystem(cleanUps)
  const result = await runModels(system, {
    ...{ seed, runs, max, onProgress: countProgress(runs, 'sequences') },
    ...(path === undefined ? {} : { path }),
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  console.log(
    `${result.runs} sequences, ${result.commands} commands, ${result.seconds.toFixed(0)} s; after each sequence, every delivery and manifest was compared with the model.`,
  )
  if (result.failure === null) {
    console.log(
      `The service never differed from the model. It differs in ${ruleOfThree(result.runs)} sequences (3/n, at 95 %).`,
    )
    return true
  }
  console.log(result.failure)
  // Warnings as well: they give the cause of a 503.
  const loggedErrors = errorsIn(system.output(), 'warn')
  for (const error of loggedErrors.slice(-MAX_SHOWN)) console.log(`  logged: ${error.slice(0, 3_000)}`)
  console.log(
    `To repeat: npm run fuzz -- models --seed ${seed} --path "<path>" --replay-path "<replayPath>", with the values above.`,
  )
  return false
}
