import type { CleanUps } from '../../harness/clean-ups.ts'
import { readOptions, toNameOf } from '../../harness/options.ts'
import { countProgress } from '../../harness/progress.ts'
import { conclude, errorsIn } from '../../harness/report.ts'
import { startSystem } from '../system-under-test.ts'
import { RACES, type RaceName, type RaceResult, runRaces } from './run-races.ts'

/** Concurrent requests for the same thing at two API processes: `--count` of each race, or of the one in `--race`. */
export async function racesCommand(cleanUps: CleanUps, args: string[]): Promise<boolean> {
  const { seed, counts, values } = readOptions(
    args,
    { count: [500, 0], first: [0, 0] },
    { race: { type: 'string', multiple: true, default: Object.keys(RACES) } },
  )
  const { count, first } = counts
  const names = values.race.map((name) => toNameOf(Object.keys(RACES) as RaceName[], 'race', name))
  console.log(`Seed ${seed}: ${count} of each race, two api processes and a worker.`)
  const system = await startSystem(cleanUps)
  const results: RaceResult[] = []
  for (const name of names) {
    const onProgress = countProgress(count, name)
    const result = await runRaces(system, name, { seed, count, first, onProgress })
    results.push(result)
    console.log(textFor(result))
  }
  const wrong = results.flatMap((result) => result.wrong)
  const logged = errorsIn(system.output()).map((line) => `logged: ${line.slice(0, 3_000)}`)
  return conclude([...wrong, ...logged], count, 'runs of each race')
}

function textFor({ name, run, seconds, ends, wrong }: RaceResult): string {
  const head = `${name}: ${run} races of ${RACES[name].contenders} in ${seconds.toFixed(0)} s, ${wrong.length} wrong. ${RACES[name].promise}.`
  const lines = [...ends]
    .sort((a, b) => b[1] - a[1])
    .map(([how, count]) => `${`${count}`.padStart(8)}  ${how}`)
  return [head, ...lines].join('\n')
}
