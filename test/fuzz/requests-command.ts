import type { CleanUps } from '../harness/clean-ups.ts'
import { type Ask, asker, fromAddress } from '../harness/http.ts'
import { readOptions } from '../harness/options.ts'
import { countProgress } from '../harness/progress.ts'
import { conclude, errorsIn } from '../harness/report.ts'
import { startService } from '../harness/service.ts'
import { tableOf, textFor } from './report.ts'
import { runFuzz } from './run.ts'

const MAX_SHOWN = 50
/** Personal data and secrets that the run starts with: no log of an API or worker may hold them. */
const CANARIES = ['fuzz@example.com', '91570158', 'fuzz Street', 'fuzz-secret', 'under the mat']
const OPERATOR = 'the operator of a fuzzed service'

/** Sends requests that OpenAPI allows and forbids, and checks every response against it. */
export async function requestsCommand(cleanUps: CleanUps, args: string[]): Promise<boolean> {
  const { seed, counts } = readOptions(args, { cases: [20_000, 0], first: [0, 0], 'at-once': [8, 1] }, {})
  const { cases, first, 'at-once': atOnce } = counts
  const service = await startService(cleanUps, {
    ...{ DROVER_OPERATOR_TOKEN: OPERATOR, LOG_LEVEL: 'debug' },
    DROVER_SECRET_KEY: 'the key of a service that is fuzzed',
  })
  let died: unknown = null
  service.ended.then((end) => (died = end))
  console.log(`Seed ${seed}: ${cases} cases, ${atOnce} at once.`)
  const beganMs = performance.now()
  const onProgress = countProgress(cases, 'cases')
  const ask = fromManyAddresses(asker(service.url))
  const result = await runFuzz({ ask, operator: OPERATOR, seed, cases, first, atOnce, onProgress })
  const seconds = (performance.now() - beganMs) / 1_000
  console.log(`${tableOf(result)}\n${cases} cases in ${seconds.toFixed(0)} s.`)
  const log = service.output()
  // On a busy machine the database may be slow: the response says so, and the request is retried.
  const errors = errorsIn(log).filter((line) => !/connection timeout|when trying to connect/.test(line))
  const violations = [
    ...result.failures.map(textFor),
    ...errors.map((line) => `the service logged: ${line.slice(0, 1_000)}`),
    ...CANARIES.filter((one) => log.includes(one)).map((one) => `the service logged ${one}`),
    ...(died ? [`the service ended: ${JSON.stringify(died)}`] : []),
  ]
  return conclude(violations, cases, 'cases', MAX_SHOWN)
}

/** From many client addresses: limits of one address are not under test here. */
function fromManyAddresses(ask: Ask): Ask {
  let sent = 0
  return (line, call = {}) => {
    sent++
    return ask(line, { ...call, headers: { ...fromAddress(sent), ...call.headers } })
  }
}
