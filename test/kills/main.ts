/**
 * The long run: hundreds of jobs, a kill every second, and a table at the end.
 *
 *   npm run kills -- --jobs 200 --seconds 60 --seed 7      leases of 30 s, as in production
 *   npm run kills -- --seeded-bug no_intent               a seeded bug that must be caught (see seeded-bugs.ts); any number of them
 */
import { parseArgs } from 'node:util'
import { makePool } from '../../src/store/db/pool.ts'
import { startDatabase } from '../harness/database.ts'
import { toCount, toNameOf, toSeed } from '../harness/options.ts'
import { printViolations } from '../harness/report.ts'
import { closingTable } from './closing-table.ts'
import { type KillOptions, runKills } from './run.ts'
import { SEEDED_BUGS } from './seeded-bugs.ts'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    'seeded-bug': { type: 'string', multiple: true, default: [] },
  },
})

const database = await startDatabase('drover_kills')
try {
  await run(database.url)
} finally {
  await database.stop()
}

async function run(url: string): Promise<void> {
  const pool = makePool(url, { max: 5, applicationName: 'drover test' })
  const options: KillOptions = {
    database: { url, pool },
    seed: toSeed(values.seed),
    jobs: toCount('jobs', values.jobs),
    seconds: toCount('seconds', values.seconds),
    leaseMs: null,
    freezeMs: 45_000,
    seededBugs: values['seeded-bug'].map((name) => toNameOf(SEEDED_BUGS, 'seeded bug', name)),
    restPatienceMs: 180_000,
  }
  console.log(
    `Seed ${options.seed}: ${options.jobs} jobs, ${options.seconds} s of faults, then a wait until all work is done.`,
  )
  try {
    const result = await runKills(options)
    console.log(closingTable(options, result))
    printViolations(result.breaches.map(({ promise, text }) => `${promise}: ${text}`))
    const isDoubled = result.breaches.some(({ promise }) => promise === 'booked once')
    const proved = options.seededBugs.length === 0 ? result.breaches.length === 0 : isDoubled
    process.exitCode = proved ? 0 : 1
  } finally {
    await pool.end()
  }
}
