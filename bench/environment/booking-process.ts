import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { composeApp } from '../../src/bootstrap/composition-root.ts'
import type { SandboxState } from '../../src/carriers/sandbox/sandbox-state.ts'
import { makeLog } from '../../src/log.ts'
import {
  claimDeliveries,
  processDueDeliveries,
} from '../../src/operations/deliveries/process-due-deliveries.ts'
import { answerParent } from './child.ts'

/** A query as the driver receives it. */
export type Sent = { text: string; values: unknown[] }

/** An on-demand courier that accepts at once and stores nothing. */
const INSTANT: SandboxState = {
  async handle(_accountId, _carrier, { body }) {
    const { items } = body as { items: { ref: string; count: number }[] }
    const id = `SWF${String(++booked).padStart(12, '0')}`
    const labelled = items.map(({ ref, count }, line) => ({
      ref,
      labels: Array.from({ length: count }, (_, unit) => `${id}${line}${unit}`),
    }))
    const fee = { amount: '8.90', currency: 'AUD' }
    return { kind: 'answered', status: 201, body: { job: { id, state: 'queued', fee, items: labelled } } }
  },
}
let booked = 0

const recording = new AsyncLocalStorage<Sent[]>()
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: [string | Sent, unknown[]?]) {
  const [first, values = []] = args
  recording.getStore()?.push(typeof first === 'string' ? { text: first, values } : first)
  return Reflect.apply(query, this, args)
} as typeof query

/** A worker as the product wires it, except for its carrier: the benchmark measures the worker's part of a booking. */
const [databaseUrl = ''] = process.argv.slice(2)
const parts = composeApp({
  config: { secretKey: 'a key for documents of the benchmark', publicUrl: 'http://127.0.0.1:8080' },
  databaseUrl,
  name: 'worker',
  log: makeLog('silent'),
  sandbox: INSTANT,
})
await parts.start({ work: false })

const ANSWERS = {
  /** Books the one delivery that is due, and returns its statements. */
  record: recorded,
  /** Books all deliveries that are due. */
  work: async () => parts.runner.start(),
  rest: () => parts.runner.stop(10_000),
}
answerParent((what: keyof typeof ANSWERS) => ANSWERS[what]())

async function recorded(): Promise<Sent[]> {
  const sent: Sent[] = []
  await recording.run(sent, async () => {
    const due = await claimDeliveries(parts.deps, 50)
    if (due.length !== 1) throw new Error(`${due.length} deliveries were due, not one.`)
    await processDueDeliveries(parts.deps, due)
  })
  return sent.map(({ text, values = [] }) => ({ text, values }))
}
