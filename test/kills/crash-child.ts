/** A process that does one piece of work and dies by SIGKILL after a given step. */

import { type App, composeApp } from '../../src/bootstrap/composition-root.ts'
import { makeLog } from '../../src/log.ts'
import { promptCarriers } from './prompt-carriers.ts'
import { recordSteps } from './record-steps.ts'
import { type CrashOrder, doWork, STEP_NOT_REACHED } from './work.ts'

const { work, databaseUrl, secretKey, dieAfter }: CrashOrder = JSON.parse(process.argv[2] ?? '')
const parts: App = composeApp({
  config: { secretKey, publicUrl: 'http://drover.test', allowPrivateWebhooks: true },
  databaseUrl,
  name: 'to be killed',
  log: makeLog('silent'),
  connectMs: 60_000,
  sandbox: promptCarriers(() => parts.deps),
})
await parts.start({ work: false })
let times = 0
await doWork(
  recordSteps(parts.deps, (step) => {
    if (step === dieAfter.step) times += 1
    if (times === dieAfter.times) process.kill(process.pid, 'SIGKILL')
  }),
  work,
)
process.exit(STEP_NOT_REACHED)
