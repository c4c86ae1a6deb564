/**
 * The long run: hundreds of jobs at the sandbox's carriers, a kill every second, and a table at the end. It is the run
 * of `npm run chaos` with another profile.
 *
 *   npm run kills -- --jobs 200 --seconds 60 --seed 7      leases of 30 s, as in production
 *   npm run kills -- --seeded-bug no_intent               a seeded bug that must be caught (see seeded-bugs.ts); any number of them
 *   npm run kills -- --database=given              on the server of DATABASE_URL; see docs/operations/citus.md
 *   npm run kills -- --database=citus              on a Citus cluster that the run starts
 */
import { closingTable, figuresOf } from '../chaos/closing-table.ts'
import { runChaos } from '../chaos/run.ts'
import { readOptions, toDatabase } from '../harness/options.ts'
import { showProgress } from '../harness/progress.ts'
import { printViolations } from '../harness/report.ts'
import { isCaught, toSeededBugs } from '../harness/seeded-bugs.ts'
import { killProfile } from './profile.ts'
import { SEEDED_BUGS } from './seeded-bugs.ts'

const { seed, counts, values } = readOptions(
  process.argv.slice(2),
  { jobs: [200, 1], seconds: [60, 1] },
  {
    'seeded-bug': { type: 'string', multiple: true, default: [] },
    database: { type: 'string', default: 'embedded' },
  },
)
const seededBugs = toSeededBugs(SEEDED_BUGS, values['seeded-bug'])
console.log(
  `Seed ${seed}: ${counts.jobs} jobs, ${counts.seconds} s of faults, then a wait until all work is done.`,
)
const progress = showProgress('kills')
const result = await runChaos({
  ...{ seed, seededBugs, plan: { seconds: counts.seconds }, database: toDatabase(values.database) },
  profile: killProfile({ seed, ...counts, leaseMs: null, freezeMs: 45_000 }),
  onProgress: progress.show,
})
progress.end()
const { breaches } = result
console.log(closingTable(figuresOf(result)))
printViolations(breaches.map(({ promise, text }) => `${promise}: ${text}`))
const isProved =
  seededBugs.length === 0
    ? breaches.length === 0
    : seededBugs.every((name) => isCaught(name, SEEDED_BUGS[name], breaches))
process.exitCode = isProved ? 0 : 1
