import { parseArgs } from 'node:util'
import { maxOf, type Own, seedOf, tenthsOf } from '../command.ts'
import { startFleet } from '../fleet.ts'
import { runModels } from './run-models.ts'

const MAX_SHOWN = 20

/** Merchants, couriers and customers act at random, and a model in memory predicts each result. */
export async function modelsCommand(own: Own, args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '100' },
      max: { type: 'string', default: '40' },
      seed: { type: 'string' },
      path: { type: 'string' },
      'replay-path': { type: 'string' },
    },
  })
  const { path, 'replay-path': replayPath } = values
  const [seed, runs, max] = [seedOf(values.seed), Number(values.runs), Number(values.max)]
  console.log(`Seed ${seed}: ${runs} sequences of at most ${max} commands, two api processes and a worker.`)
  const system = await startFleet(own)
  const result = await runModels(system, {
    ...{ seed, runs, max, onProgress: tenthsOf(runs, 'sequences') },
    ...(path === undefined ? {} : { path }),
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  console.log(
    `${result.runs} sequences, ${result.commands} commands, ${result.seconds.toFixed(0)} s; after each all that was made was compared.`,
  )
  if (result.failure === null) {
    console.log(
      `The service never differed from the model. ${maxOf(result.runs)} sequences do (3/n, at 95 %).`,
    )
    return true
  }
  console.log(result.failure)
  // A 503 says why, too.
  const loggedErrors = system.output().match(/^\{.*"level":(?:40|50|60).*$/gm) ?? []
  for (const error of loggedErrors.slice(-MAX_SHOWN)) console.log(`  logged: ${error.slice(0, 3_000)}`)
  console.log(
    `Again: npm run fuzz -- models --seed ${seed} --path "<path>" --replay-path "<replayPath>", as named above.`,
  )
  return false
}
