/**
 * Simulates a day of mixed deliveries. No delivery may be stuck, lost or booked twice.
 *
 *   npm run day                                            5,000 deliveries among the networks' fakes
 *   npm run day -- --carriers sandbox                      the same count with the sandbox's carriers, quicker
 *   npm run day -- --deliveries 500 --seed 7 --json
 *   npm run day -- --seeded-bug forgets_keys               a seeded bug in a carrier, which must be caught
 *   npm run day -- --carriers sandbox --url http://host:port   on a service that runs (DROVER_OPERATOR_TOKEN)
 *   npm run day -- --database=citus                        on a Citus cluster that the run starts (`given`: on DATABASE_URL)
 */

import { startDatabase } from '../test/chaos/database.ts'
import { type CleanUps, withCleanUps } from '../test/harness/clean-ups.ts'
import { readOptions, toDatabase, toNameOf } from '../test/harness/options.ts'
import { showProgress } from '../test/harness/progress.ts'
import { judge, type Promises, toBreaches, type Verdict } from '../test/harness/promises.ts'
import { isCaught, toSeededBugs } from '../test/harness/seeded-bugs.ts'
import { startService } from '../test/harness/service.ts'
import { networkDay } from './day/networks/day.ts'
import { PROMISES } from './day/networks/promises.ts'
import { SEEDED_BUGS } from './day/networks/seeded-bugs.ts'
import { planDay } from './day/plan.ts'
import { type DayOptions, progressText, type ReportProgress, runDay } from './day/run-day.ts'
import { openShop } from './day/shop.ts'
import { summarise, summaryText } from './day/summary.ts'
import { DAY_PROMISES, type DayEvidence, gatherSandboxDay } from './day/verify-day.ts'

const PACE = { dayStepMinutes: 60, laterStepHours: 24 }
const { seed, counts, values } = readOptions(
  ['--seed', '1', ...process.argv.slice(2)],
  { deliveries: [5_000, 1] },
  {
    carriers: { type: 'string', default: 'networks' },
    'seeded-bug': { type: 'string' },
    url: { type: 'string' },
    database: { type: 'string', default: 'embedded' },
    json: { type: 'boolean', default: false },
  },
)
const count = counts.deliveries
const { url = null } = values
const carriers = toNameOf(['networks', 'sandbox'], 'set of carriers', values.carriers)
const bug = values['seeded-bug']
const [seededBug = null] = toSeededBugs(SEEDED_BUGS, bug === undefined ? [] : [bug])
if (carriers === 'networks' && url)
  throw new Error('--url needs --carriers sandbox: the networks’ fakes run with their own service.')
if (url && values.database !== 'embedded')
  throw new Error(
    '--url and --database can’t be used together: the service at --url has its own database. Leave one of them out.',
  )
if (carriers === 'sandbox' && seededBug) throw new Error('--seeded-bug needs --carriers networks.')

const startMs = performance.now()
const operatorToken = process.env.DROVER_OPERATOR_TOKEN ?? 'demo-operator'
const progress = showProgress('day')
const onProgress: ReportProgress = (moment) =>
  progress.show(moment.ended / count, progressText(moment, count))
await withCleanUps(async (cleanUps) => {
  const env = await serviceEnv(cleanUps)
  const options: DayOptions = { seed, count, operatorToken, env, onProgress }
  const verdicts =
    carriers === 'sandbox'
      ? report(await sandboxDay(cleanUps, env), DAY_PROMISES)
      : report(await networkDay(cleanUps, seededBug, options), PROMISES)
  const breaches = toBreaches(verdicts)
  const isProved = seededBug ? isCaught(seededBug, SEEDED_BUGS[seededBug], breaches) : breaches.length === 0
  process.exitCode = isProved ? 0 : 1
})

/** Settings of the service that the run starts. Without `--database`, it has a PostgreSQL of its own. */
async function serviceEnv(cleanUps: CleanUps): Promise<Record<string, string>> {
  const env = { DROVER_OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'error' }
  const database = toDatabase(values.database)
  if (database.kind === 'embedded') return env
  const started = await startDatabase(cleanUps, database, { settings: {}, hasSmallDisk: false })
  return { ...env, DATABASE_URL: started.url }
}

/** The day with the sandbox's carriers, on the service at `--url` or on a service that it starts. */
async function sandboxDay(cleanUps: CleanUps, env: Record<string, string>): Promise<DayEvidence> {
  const base = url?.replace(/\/+$/, '') ?? (await startService(cleanUps, env)).url
  const shop = await openShop(base, operatorToken)
  const jobs = planDay(seed, count)
  return gatherSandboxDay(shop, jobs, await runDay(shop, jobs, PACE, onProgress))
}

/** Checks the promises and prints the day. */
function report<Evidence extends DayEvidence>(
  evidence: Evidence,
  promises: Promises<string, Evidence>,
): Verdict[] {
  progress.end()
  const verdicts = judge(promises, evidence)
  const summary = summarise(evidence, verdicts, (performance.now() - startMs) / 1_000)
  console.log(values.json ? JSON.stringify(summary) : summaryText(summary))
  return verdicts
}
