import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../harness/client.ts'
import { type AccountName, STORE } from './account.ts'
import { amendBody, createBody, type Job } from './jobs.ts'

const MANIFEST_EVERY_MS = 7_000

/**
 * Sends every job at its time, whatever happened to earlier ones, and hands over booked deliveries now and then,
 * until it is `over`. Returns the jobs that were sent, once every outcome is known. `nowMs`: account time.
 */
export async function keepShop(
  client: Client<AccountName>,
  jobs: Iterable<Job>,
  { nowMs, over, manifestGroup }: { nowMs(): number; over(): boolean; manifestGroup: string | null },
): Promise<Job[]> {
  const began = performance.now()
  const sent: Job[] = []
  const following: Promise<void>[] = []
  const handing = manifestGroup === null ? null : handOver(client, manifestGroup, over)
  for (const job of jobs) {
    await sleep(Math.max(0, began + job.atMs - performance.now()))
    if (over()) break
    sent.push(job)
    following.push(follow(client, job, nowMs))
  }
  await Promise.all([handing, ...following])
  return sent
}

async function handOver(
  client: Client<AccountName>,
  manifestGroup: string,
  over: () => boolean,
): Promise<void> {
  for (let number = 1; !over(); number += 1) {
    const body = { store_reference: STORE, manifest_group: manifestGroup }
    await client.ask('manifest', 'POST /manifests', { account: 'chaos', body, key: `manifest-${number}` })
    await sleep(MANIFEST_EVERY_MS)
  }
}

/** Plays the clerk of one delivery, who creates, reads, amends and cancels it. */
async function follow(client: Client<AccountName>, job: Job, nowMs: () => number): Promise<void> {
  const { account, reference } = job
  const about = { account, reference }
  const path = `/deliveries/${reference}`
  const body = createBody(job, nowMs())
  const operation = job.invalid ? 'invalid' : 'create'
  const create = () =>
    client.ask(operation, 'POST /deliveries', { ...about, body, key: `create-${reference}` })
  const [{ recorded }] = await Promise.all([create(), job.twice ? create() : null])
  if (recorded.outcome !== 'ok') return
  if (job.twice) await client.ask('again', 'POST /deliveries', { ...about, body })
  if (job.amendAfterMs !== null) {
    await sleep(job.amendAfterMs)
    const amendment = { ...about, body: amendBody(job, nowMs()), key: `amend-${reference}` }
    await client.ask('amend', `PATCH ${path}/amend`, amendment)
  }
  if (job.cancelAfterMs !== null) {
    await sleep(job.cancelAfterMs)
    const cancellation = { ...about, body: {}, key: `cancel-${reference}` }
    await client.ask('cancel', `PATCH ${path}/request-cancel`, cancellation)
  }
  await client.send(account, `GET ${path}`).catch(() => {})
}
