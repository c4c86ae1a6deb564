import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { toCount, toSeed } from '../harness/options.ts'
import { countProgress } from '../harness/progress.ts'
import { errorsIn, printViolations } from '../harness/report.ts'
import { freePort, shipped } from '../packaged-process.ts'
import type { Own } from './command.ts'
import { tableOf, textFor } from './report.ts'
import { runFuzz, type Send } from './run.ts'

const MAX_SHOWN = 50
/** Personal data and secrets that the run starts with: no log of an API or worker may hold them. */
const CANARIES = ['fuzz@example.com', '91570158', 'fuzz Street', 'fuzz-secret', 'under the mat']
const OPERATOR = 'the operator of a fuzzed service'

/** Sends requests that OpenAPI allows and forbids, and checks every response against it. */
export async function requestsCommand(own: Own, args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      cases: { type: 'string', default: '20000' },
      seed: { type: 'string' },
      first: { type: 'string', default: '0' },
      'at-once': { type: 'string', default: '8' },
    },
  })
  const home = mkdtempSync(join(tmpdir(), 'drover-fuzz-'))
  own.after(() => rmSync(home, { recursive: true, force: true }))
  chmodSync(home, 0o755) // Root runs PostgreSQL as another user, who needs access.
  const port = await freePort()
  const env = {
    ...{ DROVER_HOME: home, PORT: port, DROVER_OPERATOR_TOKEN: OPERATOR, LOG_LEVEL: 'debug' },
    ...{ DROVER_SECRET_KEY: 'the key of a service that is fuzzed', DROVER_TRUSTED_PROXIES: '127.0.0.1' },
  }
  const service = await shipped(own, 'start', env, /(Ctrl-C stops it)/)
  let died: unknown = null
  service.ended.then((end) => (died = end))
  const [seed, cases, first] = [
    toSeed(values.seed),
    toCount('cases', values.cases, 0),
    toCount('first', values.first, 0),
  ]
  console.log(`Seed ${seed}: ${cases} cases, ${values['at-once']} at once.`)
  const beganMs = performance.now()
  const atOnce = toCount('at-once', values['at-once'])
  const send = sendTo(own, port)
  const onProgress = countProgress(cases, 'cases')
  const result = await runFuzz({ send, operator: OPERATOR, seed, cases, first, atOnce, onProgress })
  const seconds = (performance.now() - beganMs) / 1_000
  const wrong = errorsIn(service.output())
  // On a busy machine the database may be slow: the response says so, and the request is retried.
  const loggedErrors = wrong.filter((line) => !/connection timeout|when trying to connect/.test(line))
  console.log(tableOf(result))
  printViolations(result.failures.map(textFor), MAX_SHOWN)
  printViolations(
    loggedErrors.map((line) => `the service logged: ${line.slice(0, 1_000)}`),
    MAX_SHOWN,
  )
  const canaries = CANARIES.filter((one) => service.output().includes(one))
  printViolations(canaries.map((one) => `the service logged ${one}`))
  if (died) console.log(`  ✖ the service ended: ${JSON.stringify(died)}`)
  console.log(
    `${cases} cases in ${seconds.toFixed(0)} s. Without a failure in n cases, fewer than 3/n fail (95 %).`,
  )
  return result.failures.length === 0 && loggedErrors.length + canaries.length === 0 && !died
}

/** From many client addresses: limits of one address are not under test here. */
function sendTo(own: Own, port: string): Send {
  const agent = new Agent({ connections: 64 })
  own.after(() => agent.close())
  let sent = 0
  return async ({ method, url, headers, body }) => {
    sent++
    const from = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`
    const reply = await request(`http://127.0.0.1:${port}`, {
      ...{ dispatcher: agent, method: method as 'GET', path: url },
      headers: { 'x-forwarded-for': from, ...headers },
      body: body ?? null,
    })
    const text = await reply.body.text()
    const media = String(reply.headers['content-type'] ?? '')
    return {
      ...{ status: reply.statusCode, media, text },
      json: media.includes('json') && text !== '' ? JSON.parse(text) : null,
    }
  }
}
