/**
 * Simulates a day of mixed deliveries. No delivery may be stuck, lost or booked twice.
 *
 *   npm run day                                            5,000 deliveries among the networks' fakes
 *   npm run day -- --carriers sandbox                      the same count with the sandbox's carriers, quicker
 *   npm run day -- --deliveries 500 --seed 7 --json
 *   npm run day -- --seeded-bug forgets_keys               a seeded bug in a carrier, which must be caught
 *   npm run day -- --carriers sandbox --url http://host:port   on a service that runs (DROVER_OPERATOR_TOKEN)
 */
import { parseArgs } from 'node:util'
import { toCount, toNameOf, toSeed } from '../test/harness/options.ts'
import { showProgress } from '../test/harness/progress.ts'
import { judge, type Verdict } from '../test/harness/promises.ts'
import { networkDay } from './day/networks/day.ts'
import { PROMISES } from './day/networks/promises.ts'
import { SEEDED_BUG_NAMES, SEEDED_BUGS, type SeededBugName } from './day/networks/seeded-bugs.ts'
import { networkSummaryText, summariseNetworks } from './day/networks/summary.ts'
import { progressText, type ReportProgress } from './day/run-day.ts'
import { sandboxDay } from './day/sandbox-day.ts'
import { summaryText } from './day/summary.ts'

const { values } = parseArgs({
  options: {
    carriers: { type: 'string', default: 'networks' },
    deliveries: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    'seeded-bug': { type: 'string' },
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const count = toCount('deliveries', values.deliveries)
const seed = toSeed(values.seed)
const { url = null } = values
const carriers = toNameOf(['networks', 'sandbox'], 'set of carriers', values.carriers)
const bug = values['seeded-bug']
const seededBug = bug === undefined ? null : toNameOf(SEEDED_BUG_NAMES, 'seeded bug', bug)
if (carriers === 'networks' && url)
  throw new Error('--url needs --carriers sandbox: the networks’ fakes run with their own service.')
if (carriers === 'sandbox' && seededBug) throw new Error('--seeded-bug needs --carriers networks.')

const startMs = performance.now()
const seconds = () => (performance.now() - startMs) / 1_000
const operatorToken = process.env.DROVER_OPERATOR_TOKEN ?? 'demo-operator'
const progress = showProgress('day')
const onProgress: ReportProgress = (moment) =>
  progress.show(moment.ended / count, progressText(moment, count))
const options = { seed, count, operatorToken, onProgress }
if (carriers === 'sandbox') {
  const summary = await sandboxDay({ ...options, url })
  progress.end()
  printReport(summary, summaryText(summary), summary.wrong.length)
} else {
  const evidence = await networkDay({ ...options, seededBug })
  progress.end()
  const summary = summariseNetworks(evidence, judge(PROMISES, evidence), seconds())
  const breaches = summary.verdicts.flatMap(({ wrong }) => wrong)
  printReport(summary, networkSummaryText(summary), seededBug ? 0 : breaches.length)
  if (seededBug) reportCaught(seededBug, summary)
}

/** Fails unless the seeded bug broke its promise: a check that misses it proves nothing. */
function reportCaught(bug: SeededBugName, { verdicts }: { verdicts: readonly Verdict[] }): void {
  const { breaks } = SEEDED_BUGS[bug]
  const [caught] = verdicts.find(({ promise }) => promise === breaks)?.wrong ?? []
  console.error(caught ? `✔ ${bug}: ${caught}` : `✖ ${bug}: not caught. Expected a breach of “${breaks}”.`)
  if (!caught) process.exitCode = 1
}

function printReport(summary: object, text: string, wrong: number): void {
  console.log(values.json ? JSON.stringify(summary) : text)
  if (wrong > 0) process.exitCode = 1
}
