/** A process that does one piece of work and dies by SIGKILL after a given step. */

import { type App, composeApp } from '../../src/bootstrap/composition-root.ts'
import { makeLog } from '../../src/log.ts'
import { promptCarriers } from './prompt-carriers.ts'
import { recordSteps } from './record-steps.ts'
import { doWork, type Work } from './work.ts'

/** `dieAfter`: the number of a step, or the first step of that name. */
export type CrashOrder = { work: Work; databaseUrl: string; secretKey: string; dieAfter: number | string }

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
let steps = 0
await doWork(
  recordSteps(parts.deps, (step) => {
    steps += 1
    if (steps === dieAfter || step === dieAfter) process.kill(process.pid, 'SIGKILL')
  }),
  work,
)
throw new Error(`The work ended after ${steps} steps. It should have died after step ${dieAfter}.`)
