/**
 * All tests, on a database of our own; and, where `DATABASE_URL` is given, those that use one on that one too.
 *
 *   npm test                       everything
 *   npm test -- src/domain quote   files whose path contains one of these
 *   npm test -- --database=given   only on `DATABASE_URL` (or `embedded`: only on our own)
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { SERVER_VARIABLE, startTestServer, USED_VARIABLE } from '../test/server.ts'
import { buildServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'
import { findChromium } from './chromium.ts'

/** Test files at once: they wait for databases, carriers and browsers half of their time. */
const CONCURRENCY = 4
/** Only what hangs comes near it: the longest take two minutes, and three times that on a machine that others load. */
const FILE_TIMEOUT_MS = 900_000

/** Whose tests need a browser. */
const PAGES = 'test/pages/'

/** The lines in which the runner counts, without colours or with them. */
const CLOSING = /ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+/

const { values, positionals } = parseArgs({
  options: { database: { type: 'string' } },
  allowPositionals: true,
})
const files = globSync('{src,test,scripts,bench,web}/**/*.test.ts')
  .filter(
    (file) =>
      positionals.length === 0 || positionals.some((part) => file.includes(part.replace(/^\.\//, ''))),
  )
  .sort()
if (files.length === 0) throw new Error(`No test file matches ${positionals.join(', ')}.`)

await buildServer()
await buildWeb()
const chromium = files.some((file) => file.startsWith(PAGES)) ? await findChromium() : null
const given = process.env.DATABASE_URL
if (values.database === 'given' && !given) throw new Error('--database=given needs a DATABASE_URL.')
const summaries: string[] = []
process.stdout.on('error', () => {}) // Whoever reads may have seen enough (`| head`); the databases still need stopping.
/** Test files that asked for a database are named here by themselves. */
const used = join(mkdtempSync(join(tmpdir(), 'drover-tests-')), 'used')
if (values.database !== 'given') await onOurOwn()
if (given && values.database !== 'embedded') await runOn('the given database', given, whoUsesOne())
rmSync(join(used, '..'), { recursive: true })
console.log(`\n${summaries.join('\n')}`)

/** All, unless a run before has shown which ask for a database: another one changes nothing for the rest. */
function whoUsesOne(): string[] {
  if (!existsSync(used)) return files
  const asked = new Set(readFileSync(used, 'utf8').split('\n'))
  return files.filter((file) => asked.has(file))
}

async function onOurOwn(): Promise<void> {
  const server = await startTestServer()
  try {
    await runOn('the embedded database', server.url, files)
  } finally {
    await server.stop()
  }
}

/** Runs the files against one server, shows what they say as they say it, and keeps the closing lines. */
async function runOn(title: string, url: string, files: readonly string[]): Promise<void> {
  console.log(`Tests on ${title}: ${files.length} files`)
  const options = [
    '--test',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    '--test-reporter=spec',
  ]
  const child = spawn(process.execPath, [...options, ...files], {
    env: {
      ...process.env,
      [SERVER_VARIABLE]: url,
      [USED_VARIABLE]: used,
      DATABASE_URL: url,
      ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', pass).on('SIGTERM', pass)
  const closing: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    if (CLOSING.test(line)) closing.push(line)
  }
  const code = await exited
  process.off('SIGINT', pass).off('SIGTERM', pass)
  if (code !== 0) process.exitCode = 1
  summaries.push(`Tests on ${title} ${code === 0 ? 'passed' : 'FAILED'}:`, ...closing)
}
