/**
 * The long run: hundreds of jobs, a kill every second, and a table at the end.
 *
 *   npm run kills -- --jobs 200 --seconds 60 --seed 7      leases of 30 s, as in production
 *   npm run kills -- --seeded-bug no_intent               a seeded bug that must be caught (see seeded-bugs.ts); any number of them
 */
import { makePool } from '../../src/store/db/pool.ts'
import { owned, withCleanUps } from '../harness/clean-ups.ts'
import { startDatabase } from '../harness/database.ts'
import { readOptions } from '../harness/options.ts'
import { printViolations } from '../harness/report.ts'
import { isCaught, toSeededBugs } from '../harness/seeded-bugs.ts'
import { closingTable } from './closing-table.ts'
import { type KillOptions, runKills } from './run.ts'
import { SEEDED_BUGS } from './seeded-bugs.ts'

const { seed, counts, values } = readOptions(
  process.argv.slice(2),
  { jobs: [200, 1], seconds: [60, 1] },
  { 'seeded-bug': { type: 'string', multiple: true, default: [] } },
)
await withCleanUps(async (cleanUps) => {
  const { url } = owned(cleanUps, await startDatabase('drover_kills'))
  const pool = makePool(url, { max: 5, applicationName: 'drover test' })
  cleanUps.after(() => pool.end())
  const seededBugs = toSeededBugs(SEEDED_BUGS, values['seeded-bug'])
  const options: KillOptions = {
    ...{ database: { url, pool }, seed, ...counts, seededBugs },
    ...{ leaseMs: null, freezeMs: 45_000, restPatienceMs: 180_000 },
  }
  console.log(
    `Seed ${seed}: ${counts.jobs} jobs, ${counts.seconds} s of faults, then a wait until all work is done.`,
  )
  const { breaches, ...result } = await runKills(options)
  console.log(closingTable(options, { breaches, ...result }))
  printViolations(breaches.map(({ promise, text }) => `${promise}: ${text}`))
  const isProved =
    seededBugs.length === 0
      ? breaches.length === 0
      : seededBugs.every((name) => isCaught(name, SEEDED_BUGS[name], breaches))
  process.exitCode = isProved ? 0 : 1
})
