/**
 * All tests, on our own database; and, if `DATABASE_URL` is given, the database tests on that one too.
 *
 *   npm test                       everything
 *   npm test -- src/domain quote   files whose path contains one of these
 *   npm test -- --database=given   only on `DATABASE_URL` (or `embedded`: only on our own)
 *   npm test -- --database=citus   only on a Citus cluster, started from the installed PostgreSQL
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { withCleanUps } from '../test/harness/clean-ups.ts'
import { FILES_VARIABLE, SERVER_VARIABLE, startTestServer, USED_VARIABLE } from '../test/server.ts'
import { buildServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'
import { findChromium } from './chromium.ts'

/** Test processes at once: they wait for databases, carriers and browsers half of their time. */
const CONCURRENCY = 4
/** For a hanging test: the longest tests take two minutes, and three times that on a busy machine. */
const FILE_TIMEOUT_MS = 900_000

/** Folders whose tests need a browser. */
const PAGES = 'test/pages/'

/** The runner's lines with counts, with or without colours. */
const COUNT = /ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)/
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']

/** Folders whose tests may share a process: they leave it unchanged. */
const SHARES = /^(src\/(domain|documents|sheets|http|operations|store|carriers|notify)|web)\//
const FILES_A_PROCESS = 8
/** Folders whose tests use neither a database nor a build. */
const PURE = /^(src\/(domain|documents|sheets)|web)\//
const LONGEST = /^test\/(pages|kills)\//

const { values, positionals } = parseArgs({
  options: { database: { type: 'string' } },
  allowPositionals: true,
})
const files = globSync('{src,fakes,test,scripts,bench,web,clients}/**/*.test.ts')
  .filter(
    (file) =>
      positionals.length === 0 || positionals.some((part) => file.includes(part.replace(/^\.\//, ''))),
  )
  .sort()
if (files.length === 0) throw new Error(`No test file matches ${positionals.join(', ')}.`)

// Pure rules and the pages' own modules are tested from their sources.
const needsBuild = !files.every((file) => PURE.test(file))
if (needsBuild) {
  await buildServer()
  await buildWeb()
}
if (files.some((file) => file.startsWith('clients/'))) {
  const { writeApiClient } = await import('./api-client.ts')
  writeApiClient()
  const { writePythonClient } = await import('./api-client-python.ts')
  writePythonClient()
}
const chromium = files.some((file) => file.startsWith(PAGES)) ? await findChromium() : null
const given = process.env.DATABASE_URL
if (values.database === 'given' && !given) throw new Error('--database=given needs a DATABASE_URL.')
const summaries: string[] = []
let stopped = false
process.stdout.on('error', () => {}) // The reader may close the pipe (`| head`); the databases must still be stopped.
/** Test files that use a database add their names here. */
const used = join(mkdtempSync(join(tmpdir(), 'drover-tests-')), 'used')
if (values.database === 'citus') await onCitus()
else {
  if (values.database !== 'given') await onOurOwn()
  if (given && values.database !== 'embedded') await runOn('the given database', given, whoUsesOne())
}
rmSync(join(used, '..'), { recursive: true })
console.log(`\n${summaries.join('\n')}`)

/** The files that use a database, as an earlier run recorded them; all files if there is no record. */
function whoUsesOne(): string[] {
  if (!existsSync(used)) return files
  const asked = new Set(readFileSync(used, 'utf8').split('\n'))
  return files.filter((file) => asked.has(file))
}

async function onCitus(): Promise<void> {
  const { startCitusServers } = await import('../test/harness/citus-cluster.ts')
  await withCleanUps(async (cleanUps) => {
    const { coordinator, workers } = await startCitusServers(cleanUps)
    process.env.CITUS_WORKERS = workers.join(',')
    await runOn('a Citus cluster', coordinator, files)
  })
}

async function onOurOwn(): Promise<void> {
  if (!needsBuild) return runOn('no database', '', files)
  const server = await startTestServer()
  try {
    await runOn('the embedded database', server.url, files)
  } finally {
    await server.stop()
  }
}

/** Runs the files against one server, prints the output of each process once it has ended, and adds up the totals. */
async function runOn(title: string, url: string, files: readonly string[]): Promise<void> {
  console.log(`Tests on ${title}: ${files.length} files`)
  const began = performance.now()
  const env = {
    ...process.env,
    [SERVER_VARIABLE]: url,
    [USED_VARIABLE]: used,
    DATABASE_URL: url,
    ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  }
  const queue = inProcesses(files)
  const results: Result[] = []
  const runners = Array.from({ length: CONCURRENCY }, async () => {
    for (let next = queue.shift(); next && !stopped; next = queue.shift())
      results.push(await runProcess(next, env))
  })
  await Promise.all(runners)
  for (const { failures } of results) if (failures) console.log(`\n${failures}`)
  const closing = [...addUp(results), `ℹ duration_ms ${(performance.now() - began).toFixed(3)}`]
  console.log(closing.join('\n'))
  const ok = results.every(({ code }) => code === 0) && queue.length === 0
  if (!ok) process.exitCode = 1
  summaries.push(`Tests on ${title} ${ok ? 'passed' : 'FAILED'}:`, ...closing)
}

/** `failures`: the runner's report of failed tests; empty if there are none. */
type Result = { code: number; counts: ReadonlyMap<string, number>; failures: string }

async function runProcess(files: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  const isolation = files.length > 1 ? ['--test-isolation=none'] : []
  const options = ['--test', ...isolation, `--test-timeout=${FILE_TIMEOUT_MS}`, '--test-reporter=spec']
  const child = spawn(process.execPath, [...options, ...files], {
    env: { ...env, [FILES_VARIABLE]: files.join('\n') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))
  const pass = (signal: NodeJS.Signals) => {
    stopped = true
    child.kill(signal)
  }
  process.on('SIGINT', pass).on('SIGTERM', pass)
  const lines: string[] = []
  const counts = new Map<string, number>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, count] = COUNT.exec(line) ?? []
    if (name) counts.set(name, Number(count))
    else lines.push(line)
  }
  const code = await exited
  process.off('SIGINT', pass).off('SIGTERM', pass)
  const end = lines.findIndex((line) => line.includes('✖ failing tests:'))
  const failures =
    end < 0 ? (code === 0 ? '' : `✖ ended with ${code}: ${files.join(' ')}`) : lines.slice(end).join('\n')
  const message = (end < 0 ? lines : lines.slice(0, end)).join('\n').trimEnd()
  if (message) console.log(message)
  return { code, counts, failures }
}

function addUp(results: readonly Result[]): string[] {
  return COUNTS.map(
    (name) => `ℹ ${name} ${results.reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0)}`,
  )
}

/**
 * The test files of each process, the longest first. A file costs a second or two of loading: tests that leave their
 * process unchanged share one.
 */
function inProcesses(files: readonly string[]): string[][] {
  const alone = files.filter((file) => !SHARES.test(file)).map((file) => [file])
  const together = files.filter((file) => SHARES.test(file))
  const shared: string[][] = []
  while (together.length > 0) shared.push(together.splice(0, FILES_A_PROCESS))
  const isLong = ([file]: string[]) => LONGEST.test(file as string)
  return [...alone.filter(isLong), ...alone.filter((one) => !isLong(one)), ...shared]
}
