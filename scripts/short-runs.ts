/**
 * Runs the short form of everything that `npm test` does not run: benchmark, scale, kills, chaos, fuzz, days, starts, the
 * npm package and the OpenAPI tools. It reports whether each still passes, and checks no times.
 *
 *   npm run short-runs
 *   npm run short-runs -- chaos kills     only these
 */
import { spawn } from 'node:child_process'
import { hasCitus } from '../test/harness/installed-postgres.ts'
import { buildServer } from './build-server.ts'
import { buildWeb } from './build-web.ts'
import { FIGURE } from './figure.ts'

/** Five at a time, the longest first: they wait for leases and time-outs for two thirds of their time. */
const AT_ONCE = 5
const TIMEOUT_MS = 600_000

/** Only where Citus is installed: docs/operations/citus.md. */
const CITUS = ['--database=citus', '--without-seeded-bugs']

const SHORT_RUNS: Readonly<Record<string, readonly string[]>> = {
  'first half of bench': ['bench/main.ts', '--smoke', '--share', '1/2'],
  'second half of bench': ['bench/main.ts', '--smoke', '--share', '2/2'],
  scale: ['bench/scale/main.ts', '--smoke'],
  chaos: ['test/chaos/main.ts', '--without-seeded-bugs', '--minutes', '0.05', '--seed', '7'],
  kills: ['test/kills/main.ts', '--jobs', '4', '--seconds', '2', '--seed', '7'],
  starts: ['scripts/starts.ts', '--starts=1', '--burners=0'],
  package: ['scripts/check-package.ts'],
  'day of networks': ['scripts/day.ts', '--deliveries', '10', '--seed', '3'],
  day: ['scripts/day.ts', '--carriers', 'sandbox', '--deliveries', '20'],
  fuzz: ['test/fuzz/main.ts', '--cases', '300', '--seed', '7'],
  clients: ['test/clients/main.ts', 'lint', 'patterns', 'openapi-fetch'],
  ...(hasCitus() && {
    'chaos on citus': ['test/chaos/main.ts', ...CITUS, '--minutes', '0.05', '--seed', '7'],
  }),
}

const wanted = process.argv.slice(2)
const queue = Object.entries(SHORT_RUNS).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (queue.length === 0)
  throw new Error(
    `No short run is called ${wanted.join(', ')}. Choose from ${Object.keys(SHORT_RUNS).join(', ')}.`,
  )

await buildServer()
await buildWeb()
let passed = 0
const failed: [name: string, args: readonly string[]][] = []
await Promise.all(Array.from({ length: AT_ONCE }, runNext))
// On two cores, five at once can leave a load generator without a single response: a run that fails has a second try,
// alone. Its first output is printed all the same.
const again = failed.splice(0)
for (const one of again) await report(...one, ' alone')
console.log(`${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1

async function runNext(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) await report(...next)
}

async function report(name: string, args: readonly string[], how = ''): Promise<void> {
  const startMs = performance.now()
  const { code, output } = await run(args)
  const seconds = Math.round((performance.now() - startMs) / 1_000)
  if (code === 0) passed += 1
  else failed.push([name, args])
  const figures = output.split('\n').filter((line) => line.startsWith(FIGURE))
  const closing = [`✔ ${name}${how}, ${seconds} s`, ...figures.map((line) => line.slice(FIGURE.length))].join(
    '; ',
  )
  console.log(code === 0 ? closing : `✖ ${name}${how}, ${seconds} s, ended with ${code}\n${output}`)
}

function run(args: readonly string[]): Promise<{ code: number | string | null; output: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output })),
  )
}
