/**
 * Fills a database with deliveries and measures at that size; see docs/operations/scale.md.
 *
 *   npm run scale                         30,000 deliveries of 1,000 accounts, two minutes of load
 *   npm run scale -- --full               3,000,000 deliveries of 10,000 accounts, an hour of load
 *   npm run scale -- --deliveries 100000 --accounts 50 --minutes 5
 *   npm run scale -- --home <folder>      keeps the database there; a stopped run goes on where it was
 *   npm run scale -- --write              writes the figures to docs/operations/scale.md as well
 *   npm run scale -- --smoke              whether it runs, in half a minute; saves nothing and judges no times
 *
 * `DATABASE_URL` is used instead of its own PostgreSQL, if it is empty or was filled by an earlier run.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { buildServer } from '../../scripts/build-server.ts'
import { buildWeb } from '../../scripts/build-web.ts'
import { startEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { smsGateway } from '../../test/sms-gateway.ts'
import { temporaryHome } from '../environment/database.ts'
import { liftLimits, startService } from '../environment/service.ts'
import { machineFacts } from '../machine.ts'
import { type Hour, type LeftBehind, playBusiestHour } from './busiest-hour.ts'
import { countCopies, fill, makeOriginals } from './fill.ts'
import { type Scale, scaleBlock, table, withBlock } from './limits.ts'
import {
  bytesADelivery,
  isOnThisMachine,
  measureIdle,
  measureReads,
  startTimed,
  untilTallied,
} from './reads.ts'

const RESULTS = new URL('../results/', import.meta.url)
const FIGURES = new URL('figures.json', import.meta.url)
const DOCUMENT = new URL('../../docs/operations/scale.md', import.meta.url)
const SIZES = {
  usual: { deliveries: 30_000, accounts: 1_000, minutes: 2, quietMs: 13_000 },
  full: { deliveries: 3_000_000, accounts: 10_000, minutes: 60, quietMs: 13_000 },
  smoke: { deliveries: 300, accounts: 20, minutes: 1 / 6, quietMs: 1_000 },
}

/** The highest limit that an account document allows. An hour of load sends three SMS for each delivery, more than the default. */
const MAX_SMS_PER_DAY = 10_000_000

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    deliveries: { type: 'string' },
    accounts: { type: 'string' },
    minutes: { type: 'string' },
    home: { type: 'string' },
  },
})
const preset = values.full ? SIZES.full : values.smoke ? SIZES.smoke : SIZES.usual
const plan = {
  ...preset,
  deliveries: numberOf('deliveries', preset.deliveries, 1),
  accounts: numberOf('accounts', preset.accounts, 1),
  minutes: numberOf('minutes', preset.minutes, 0.05),
}
const givenUrl = process.env.DATABASE_URL

await buildServer()
await buildWeb()

const home = values.home === undefined ? temporaryHome() : keptHome(values.home)
const stops: (() => unknown)[] = []
if (values.home === undefined) stops.push(() => rmSync(home, { recursive: true, force: true }))
try {
  const databaseUrl = givenUrl ?? (await ownDatabase())
  if (givenUrl !== undefined) await requireOurs(givenUrl)
  const scale = await run(databaseUrl)
  report(scale)
} finally {
  for (const stop of stops.reverse()) await stop()
}

async function ownDatabase(): Promise<string> {
  const postgres = await startEmbeddedPostgres({ home, log: () => {} })
  stops.push(() => postgres.stop())
  return postgres.url
}

async function run(databaseUrl: string): Promise<Scale> {
  const machine = machineFacts()
  const isLocal = isOnThisMachine(databaseUrl)
  const sms = await smsGateway({ after: (stop) => stops.push(stop as () => unknown) })
  const mails = await startMailServer()
  stops.push(() => mails.stop())
  const env = { SMS_URL: sms.url, SMTP_URL: mails.url }
  const db = new pg.Client({ connectionString: databaseUrl })
  const first = await startService(home, databaseUrl, { env })
  try {
    await db.connect()
    stops.push(() => db.end())
    await liftLimits(first, (document) => ({ sms: { ...document.sms, per_day: MAX_SMS_PER_DAY } }))
    await step('originals', () => makeOriginals(first, db))
  } finally {
    await first.stop()
  }
  await fill(databaseUrl, plan, progress(await countCopies(db)))
  const bytes = await bytesADelivery(db)
  const started = await startTimed(home, databaseUrl, { env })
  const service = started.running
  stops.push(() => service.stop())
  if (!values.smoke) await step('tallies', () => untilTallied(db))
  const reads = await step('reads', () => measureReads(service, db))
  const idle = await step('idle', () => measureIdle(started, db, { quietMs: plan.quietMs, isLocal }))
  const hour = await step('busiest hour', () => playBusiestHour(service, db, { ...plan, isLocal }))
  const { deliveries, accounts } = plan
  return {
    at: String(machine.at),
    machine: `${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}, load average ${Number(machine.loadAverageBefore).toFixed(1)} beforehand`,
    size: { deliveries, accounts },
    bytes,
    reads,
    idle,
    hour,
  }
}

function report(scale: Scale): void {
  const lost = lostWork(scale.hour)
  if (lost.length > 0) process.exitCode = 1
  if (values.smoke) {
    console.log(
      lost.length > 0 ? lost.join('\n') : `Filled, measured and played: ${scale.hour.deliveries} deliveries.`,
    )
    return
  }
  const json = `${JSON.stringify(scale, null, 2)}\n`
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(new URL(`scale-${scale.at.replaceAll(/\W/g, '-')}.json`, RESULTS), json)
  if (values.write) {
    writeFileSync(FIGURES, json)
    writeFileSync(DOCUMENT, withBlock(readFileSync(DOCUMENT, 'utf8'), scaleBlock(scale)))
  }
  const bytes = Object.entries(scale.bytes).map(([name, each]) => [name, each.toFixed(0)])
  const reads = scale.reads.map(({ name, p50Ms, maxMs }) => [name, p50Ms.toFixed(1), maxMs.toFixed(1)])
  console.log(
    [
      table(['table', 'bytes a delivery'], bytes),
      table(['request', 'p50 ms', 'max ms'], reads),
      scaleBlock(scale),
      ...lost,
    ].join('\n\n'),
  )
}

const LEFT_BEHIND: Readonly<Record<keyof LeftBehind, string>> = {
  due: 'deliveries were due, and nobody took them',
  leased: 'deliveries had a lease',
  messages: 'messages were not sent',
  events: 'events were not published',
  dead_lettered: 'deliveries were dead-lettered',
}

/** Sentences about requests that were refused and work that was left behind. */
function lostWork({ answers, leftBehind, deliveries }: Hour): string[] {
  return [
    ...answers.flatMap(({ name, offered, refused }) =>
      refused > 0 ? [`${refused} of ${offered} requests were refused: ${name}.`] : [],
    ),
    ...Object.entries(leftBehind).flatMap(([what, count]) =>
      count > 0 ? [`After the run: ${count} ${LEFT_BEHIND[what as keyof LeftBehind]}.`] : [],
    ),
    ...(deliveries === 0 ? ['No delivery was created.'] : []),
  ]
}

function numberOf(name: 'deliveries' | 'accounts' | 'minutes', usual: number, least: number): number {
  const given = values[name]
  const value = given === undefined ? usual : Number(given)
  if (!(value >= least)) throw new Error(`--${name} must be a number of at least ${least}, not ${given}.`)
  return value
}

function keptHome(folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755) // Root runs PostgreSQL as another user, who needs access.
  return resolve(folder)
}

/** Refuses a database with accounts of anyone else: the run would fill it with made-up deliveries. */
async function requireOurs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('accounts') is not null as there`,
    )
    if (rows[0]?.there !== true) return
    const others = await client.query<{ account_id: string }>(
      `select account_id from accounts
       where account_id not in ('demo', 'acme-byoc') and account_id !~ '^shop-[0-9]+$' limit 1`,
    )
    const [other] = others.rows
    if (other)
      throw new Error(
        `The database in DATABASE_URL has an account ${other.account_id} that this script did not make. Name an empty database.`,
      )
  } finally {
    await client.end()
  }
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  process.stderr.write(`${name} … `)
  const beganMs = performance.now()
  const result = await work()
  process.stderr.write(`${((performance.now() - beganMs) / 1_000).toFixed(0)} s\n`)
  return result
}

/** Says every ten seconds, and at the end, how far the fill is. */
function progress(from: number): (copies: number) => void {
  const beganMs = performance.now()
  let saidMs = beganMs
  return (copies) => {
    const nowMs = performance.now()
    if (nowMs - saidMs < 10_000 && copies < plan.deliveries) return
    saidMs = nowMs
    const rate = (copies - from) / ((nowMs - beganMs) / 1_000)
    const left = (plan.deliveries - copies) / rate
    process.stderr.write(
      `fill: ${copies} of ${plan.deliveries}, ${Math.round(rate)}/s, ${Math.round(left)} s left\n`,
    )
  }
}
