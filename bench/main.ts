/**
 * Speed and memory as ratios to a limit measured in the same seconds; see docs/operations/bench.md.
 *
 *   npm run bench                  seven rounds and a million creates, some forty minutes
 *   npm run bench -- --quick       two short rounds, three minutes
 *   npm run bench -- --smoke       every part once, as small as possible, to see that it runs; saves no results
 *   npm run bench -- --smoke --share 1/2  every second part, from the first, for two processes that share them
 *   npm run bench -- quotes start  only these parts
 *   npm run bench -- neighbours    whether a noisy account slows down others; not part of the full run
 *   npm run bench -- soak --minutes 30  whether memory stays flat; not part of the full run either
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildServer } from '../scripts/build-server.ts'
import { buildWeb } from '../scripts/build-web.ts'
import { type Environment, FULL, QUICK, SMOKE, startEnvironment } from './environment/environment.ts'
import { allocationFigures } from './figures/allocation.ts'
import { bookingFigures } from './figures/bookings.ts'
import { createFigures } from './figures/creates.ts'
import type { Figure } from './figures/figure.ts'
import { getFigures } from './figures/gets.ts'
import { growthFigures } from './figures/growth.ts'
import { labelFigures } from './figures/labels.ts'
import { lifeFigures } from './figures/life.ts'
import { liveRateFigures } from './figures/live-rates.ts'
import { manyAccountFigures } from './figures/many-accounts.ts'
import { memoryFigures } from './figures/memory.ts'
import { neighbourFigures } from './figures/neighbours.ts'
import { overloadFigures } from './figures/overload.ts'
import { quoteFigures } from './figures/quotes.ts'
import { rejectionFigures } from './figures/rejections.ts'
import { soakFigures } from './figures/soak.ts'
import { startFigures } from './figures/start.ts'
import { statementFigures } from './figures/statements.ts'
import { htmlOf } from './html.ts'
import { machineFacts } from './machine.ts'
import { pauseFigures } from './pauses/pauses.ts'
import { judged, tableOf } from './report.ts'

const PARTS: Record<string, (environment: Environment) => Promise<Figure[]>> = {
  quotes: quoteFigures,
  rejections: rejectionFigures,
  statements: statementFigures,
  creates: createFigures,
  gets: getFigures,
  overload: overloadFigures,
  neighbours: neighbourFigures,
  bookings: bookingFigures,
  life: lifeFigures,
  memory: memoryFigures,
  accounts: manyAccountFigures,
  start: startFigures,
  labels: labelFigures,
  allocation: allocationFigures,
  growth: growthFigures,
  'live-rates': liveRateFigures,
  pauses: pauseFigures,
}
const SOAK = 'soak'
/** Run only if named: a comparable p99 takes minutes. */
const NAMED_ONLY: ReadonlySet<string> = new Set(['neighbours', SOAK])
const RESULTS = new URL('./results/', import.meta.url)

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    smoke: { type: 'boolean' },
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '1/1' },
  },
  allowPositionals: true,
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}.`)
const parts = { ...PARTS, [SOAK]: (environment: Environment) => soakFigures(environment, minutes) }
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0)
  throw new Error(`No part is called ${unknown.join(', ')}. Choose from ${Object.keys(parts).join(', ')}.`)
const usual = Object.keys(parts).filter((name) => !NAMED_ONLY.has(name))
const [share = 0, shares = 0] = values.share.split('/').map(Number)
if (!(share >= 1 && share <= shares))
  throw new Error(`--share must be 1/2 or 2/2, for example, not ${values.share}.`)
const chosen = (positionals.length > 0 ? positionals : usual).filter(
  (_, index) => index % shares === share - 1,
)

// The state before every start except the very first one.
await buildServer()
await buildWeb()

const beganMs = performance.now()
const machine = machineFacts()
const figures: Figure[] = []
const environment = await startEnvironment(values.smoke ? SMOKE : values.quick ? QUICK : FULL)
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (!chosen.includes(name)) continue
    process.stderr.write(`${name} … `)
    const beganMs = performance.now()
    const measured = await measure(environment)
    figures.push(...measured)
    process.stderr.write(`${((performance.now() - beganMs) / 1_000).toFixed(0)} s\n`)
    // Printed at once, so that a stopped run has printed its results so far.
    if (!values.quick && !values.smoke) process.stderr.write(`${tableOf(measured.map(judged))}\n\n`)
  }
} finally {
  await environment.stop()
}

const results = figures.map(judged)
const seconds = Math.round((performance.now() - beganMs) / 1_000)
const facts = {
  ...machine,
  loadAverageAfter: loadavg()[0],
  limitOfStatements: environment.limit.name,
  plan: environment.plan,
  seconds,
}
if (values.smoke) {
  console.log(`All ${chosen.length} parts ran, ${results.length} figures, in ${seconds} s.`)
  process.exit()
}
mkdirSync(RESULTS, { recursive: true })
const name = String(machine.at).replace(/\W/g, '-')
const page = new URL(`${name}.html`, RESULTS)
writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify({ facts, results }, null, 2)}\n`)
writeFileSync(page, htmlOf(facts, results))
console.log(`\n${tableOf(results)}\n\n${JSON.stringify(facts, null, 1)}\n\nAs a page: ${fileURLToPath(page)}`)
