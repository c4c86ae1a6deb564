/** A process that does one piece of work and dies by SIGKILL after a given step of it. */
import { makeLog } from '../../src/log.ts'
import { makeParts } from '../../src/parts.ts'
import { stepped } from './stepped.ts'
import { doWork, type Work } from './work.ts'

export type CrashOrder = Work & { databaseUrl: string; secretKey: string; dieAfter: number }

const order: CrashOrder = JSON.parse(process.argv[2] ?? '')
const parts = makeParts({
  config: { secretKey: order.secretKey, publicUrl: 'http://drover.test' },
  databaseUrl: order.databaseUrl,
  name: 'to be killed',
  log: makeLog('silent'),
})
await parts.start({ work: false })
let steps = 0
await doWork(
  stepped(parts.deps, () => {
    steps += 1
    if (steps === order.dieAfter) process.kill(process.pid, 'SIGKILL')
  }),
  order,
)
throw new Error(`The work ended after ${steps} steps: it was to die after step ${order.dieAfter}.`)
