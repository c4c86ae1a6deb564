import { setTimeout as sleep } from 'node:timers/promises'
import { tokenFor } from '../../scripts/tour/client.ts'
import type { KillJob } from './jobs.ts'

/** A client's history at the end of a run: the responses that it got, and those that it must never get. */
export type History = {
  /** Reference → id, for every create that returned 201. */
  created: Map<string, string>
  /** References whose cancellation returned 200. */
  cancelled: Set<string>
  /** Requests whose outcome was unknown at first: cut off, timed out or 503. */
  unknown: number
  /** Responses that no fault excuses. */
  wrong: string[]
}

export type HistoryClient = {
  history: History
  /** Creates every job at its time, and cancels some. Ends once every outcome is known. */
  createJobs(jobs: readonly KillJob[]): Promise<void>
  read(reference: string): Promise<Record<string, unknown>>
}

const TIMEOUT_MS = 12_000
const PAUSE_MS = 400
const PATIENCE_MS = 120_000

/** A client as its guide describes it: without a response it sends the same request again under the same key. */
export async function makeHistoryClient(apiUrl: string): Promise<HistoryClient> {
  const token = await tokenFor(apiUrl, 'demo', 'demo-client', 'demo-secret')
  const history: History = { created: new Map(), cancelled: new Set(), unknown: 0, wrong: [] }

  type Reply = { status: number; body: { code?: string; data?: Record<string, unknown> } }

  /** Returns only known outcomes: otherwise it retries. */
  async function ask(method: string, path: string, body?: unknown, key?: string): Promise<Reply> {
    const endMs = performance.now() + PATIENCE_MS
    for (;;) {
      const reply = await once(method, path, body, key).catch(() => null)
      const known = reply !== null && reply.status !== 503 && reply.body.code !== 'idempotency_in_progress'
      if (known) return reply
      if (reply?.status !== 409) history.unknown += 1
      if (performance.now() > endMs) throw new Error(`${method} ${path} stays unknown.`)
      await sleep(PAUSE_MS)
    }
  }

  async function once(method: string, path: string, body?: unknown, key?: string): Promise<Reply> {
    const response = await fetch(`${apiUrl}/demo${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  }

  async function create({ reference, body }: KillJob): Promise<boolean> {
    const { status, body: answer } = await ask('POST', '/deliveries', body, `key-${reference}`)
    const id = answer.data?.id
    if (status === 201 && typeof id === 'string') history.created.set(reference, id)
    else history.wrong.push(`create ${reference}: ${status} ${answer.code}`)
    return status === 201
  }

  async function cancel(reference: string): Promise<void> {
    const { status, body } = await ask('PATCH', `/deliveries/${reference}/request-cancel`, {})
    if (status === 200) history.cancelled.add(reference)
    else if (status !== 409) history.wrong.push(`cancel ${reference}: ${status} ${body.code}`)
  }

  return {
    history,
    async createJobs(jobs) {
      await Promise.all(
        jobs.map(async (job) => {
          await sleep(job.atMs)
          if (!(await create(job)) || job.cancelAfterMs === null) return
          await sleep(job.cancelAfterMs)
          await cancel(job.reference)
        }),
      )
    },
    async read(reference) {
      return (await ask('GET', `/deliveries/${reference}`)).body.data ?? {}
    },
  }
}
