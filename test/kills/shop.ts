import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../harness/client.ts'
import type { KillJob } from './jobs.ts'

/** Creates every job at its time, and cancels some. Ends once every outcome is known. */
export async function createJobs(client: Client, jobs: readonly KillJob[]): Promise<void> {
  await Promise.all(jobs.map((job) => createJob(client, job)))
}

async function createJob(client: Client, { reference, body, atMs, cancelAfterMs }: KillJob): Promise<void> {
  const about = { account: 'demo', reference }
  await sleep(atMs)
  const creation = { ...about, body, key: `key-${reference}` }
  const { recorded } = await client.ask('create', 'POST /deliveries', creation)
  if (recorded.outcome !== 'ok' || cancelAfterMs === null) return
  await sleep(cancelAfterMs)
  await client.ask('cancel', `PATCH /deliveries/${reference}/request-cancel`, { ...about, body: {} })
}
