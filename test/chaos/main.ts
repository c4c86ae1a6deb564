/**
 * Runs the whole service under faults and checks it from outside; see docs/operations/chaos.md.
 *
 *   npm run chaos                                   two minutes, after a run for each seeded bug that must be caught
 *   npm run chaos -- --minutes 10 --seed 7          the same seed makes the same schedule
 *   npm run chaos -- --kills 1000 --crashes 100     until 1,000 kills hit a busy process and PostgreSQL crashed 100 times
 *   npm run chaos -- --seeded-bug no_intent         one seeded bug only, which must be caught
 *   npm run chaos -- --provoke no_reconciliation    the faults that reveal that bug, without the bug: nothing may break
 *   npm run chaos -- --database=given               on the server of DATABASE_URL, which is not crashed
 *   npm run chaos -- --database=citus               on a Citus cluster, whose nodes crash and whose shards move
 *   npm run chaos -- --pause 20 --minutes 20        one fault at a time: measures the recovery from each
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { toCount, toDatabase, toNumber, toSeed } from '../harness/options.ts'
import { showProgress } from '../harness/progress.ts'
import { printViolations } from '../harness/report.ts'
import { isCaught, toSeededBugs } from '../harness/seeded-bugs.ts'
import { closingTable, figuresOf } from './closing-table.ts'
import type { Plan } from './nemesis.ts'
import { chaosProfile } from './profile.ts'
import { type ChaosResult, runChaos } from './run.ts'
import { chaosSchedule, withRebalances } from './schedule.ts'
import {
  bugsOf,
  type ChaosBug,
  provoked,
  SEEDED_BUG_NAMES,
  SEEDED_BUGS,
  type SeededBugName,
} from './seeded-bugs.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    kills: { type: 'string' },
    crashes: { type: 'string' },
    seed: { type: 'string' },
    rate: { type: 'string', default: '4' },
    pause: { type: 'string' },
    'seeded-bug': { type: 'string', multiple: true, default: [] },
    provoke: { type: 'string', multiple: true, default: [] },
    database: { type: 'string', default: 'embedded' },
    'without-seeded-bugs': { type: 'boolean', default: false },
  },
})

const RESULTS = new URL('./results/', import.meta.url)
const USUAL_MINUTES = 2
const MAX_ATTEMPTS = 3
const USUAL_SECONDS = 25
const MAX_SHOWN = 20

const seed = toSeed(values.seed)
const database = toDatabase(values.database)
const caught = await provoke(requestedBugs())
const proved = Object.values(caught).every(Boolean)
if (values['seeded-bug'].length === 0 && proved) await long()
else process.exitCode = proved ? 0 : 1

/** Each seeded bug must break its promise, or a run without a breach proves nothing. */
async function provoke(names: readonly SeededBugName[]): Promise<Record<string, boolean>> {
  const caught: Record<string, boolean> = {}
  for (const name of names) caught[name] = await catchBug(name)
  return caught
}

/** The injected faults may not trigger a seeded bug: try other seeds before it counts as not caught. */
async function catchBug(name: SeededBugName): Promise<boolean> {
  const [bug] = bugsOf([name]) as [ChaosBug]
  const plan = { seconds: bug.seconds ?? USUAL_SECONDS }
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const { breaches, faults } = await run(`seeded: ${name}`, plan, [name], seed + tries)
    const injected = ` with seed ${seed + tries}, although ${faults.length} faults were injected`
    if (isCaught(name, bug, breaches, injected)) return true
  }
  return false
}

async function long(): Promise<void> {
  const result = await run('chaos', planAsked(), [], seed)
  const figures = { ...figuresOf(result), seededBugsCaught: caught }
  mkdirSync(RESULTS, { recursive: true })
  const file = new URL(`${new Date().toISOString().replace(/\W/g, '-')}-seed-${seed}.json`, RESULTS)
  writeFileSync(
    file,
    `${JSON.stringify({ figures, breaches: result.breaches, faults: result.faults, history: result.evidence.history }, null, 1)}\n`,
  )
  const missed = SEEDED_BUG_NAMES.length - Object.keys(caught).length
  console.log(`\n${closingTable(figures)}`)
  console.log(
    missed > 0
      ? '  Not every seeded bug was tried: this run proves nothing.'
      : `  All ${SEEDED_BUG_NAMES.length} seeded bugs were caught.`,
  )
  console.log(`  ${file.pathname}`)
  if (result.breaches.length > 0) printBreaches(result)
  process.exitCode = result.breaches.length === 0 ? 0 : 1
}

/** The breaches, the faults around that time, and the clients' requests. The file holds all of it. */
function printBreaches({ breaches, faults, evidence }: ChaosResult): void {
  const shown = breaches.slice(0, MAX_SHOWN)
  printViolations(breaches.map(({ promise, text }) => `${promise}: ${text}`))
  const references = new Set(shown.flatMap(({ text }) => /C\d+-\w+/.exec(text)?.[0] ?? []))
  const history = evidence.history.filter(({ reference }) => references.has(reference))
  console.log('The clients’ requests for these:')
  for (const request of history.slice(0, MAX_SHOWN)) console.log(`  ${JSON.stringify(request)}`)
  console.log(`The last faults (seed ${seed}; to repeat: npm run chaos -- --seed ${seed}):`)
  for (const { atMs, act, done } of faults.slice(-MAX_SHOWN)) {
    console.log(`  ${atMs} ms ${done ? '' : '(no process to hit) '}${JSON.stringify(act)}`)
  }
}

async function run(
  title: string,
  plan: Plan,
  seededBugs: readonly SeededBugName[],
  seed: number,
): Promise<ChaosResult> {
  const bar = showProgress(title)
  const rate = toNumber('rate', values.rate)
  const pauseMs =
    values.pause === undefined || seededBugs.length > 0 ? null : toNumber('pause', values.pause) * 1_000
  // With `--provoke`, the faults that reveal these bugs are injected without the bugs.
  const revealed = seededBugs.length > 0 ? seededBugs : toSeededBugs(SEEDED_BUGS, values.provoke)
  const usual = chaosSchedule(seed, pauseMs)
  const schedule = provoked(database.kind === 'citus' ? withRebalances(usual) : usual, bugsOf(revealed))
  const result = await runChaos({
    seed,
    profile: chaosProfile(seed, { rate, schedule }),
    plan,
    seededBugs,
    database,
    onProgress: bar.show,
  })
  bar.end()
  return result
}

function requestedBugs(): readonly SeededBugName[] {
  if (values.provoke.length > 0) return []
  if (values['seeded-bug'].length === 0) return values['without-seeded-bugs'] ? [] : SEEDED_BUG_NAMES
  return toSeededBugs(SEEDED_BUGS, values['seeded-bug'])
}

function planAsked(): Plan {
  const { kills, crashes, minutes } = values
  if (kills === undefined && crashes === undefined)
    return { seconds: (minutes === undefined ? USUAL_MINUTES : toNumber('minutes', minutes)) * 60 }
  return { kills: toCount('kills', kills ?? '0', 0), crashes: toCount('crashes', crashes ?? '0', 0) }
}
