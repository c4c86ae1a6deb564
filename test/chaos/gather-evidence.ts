import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundManifest } from '../harness/hand-over.ts'
import { ACCOUNTS, type AccountName } from './account.ts'
import type { Evidence, FeedEvent, FoundDelivery, FoundMessage } from './evidence.ts'
import type { Job } from './jobs.ts'
import { readLedgers } from './networks.ts'
import type { SystemUnderTest } from './system-under-test.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of a dozen endpoints, parsed as a client does.
type Json = any

const PAGE = 200
/** One minute: PostgreSQL may still be replaying its log on a busy machine. */
const TRIES = 300
const PAUSE_MS = 200
const LABELS_READ = 60
const AT_ONCE = 8

/**
 * Reads everything that a client can read once all work is done; null if an event arrived meanwhile. The feed is
 * read first: an event that is published while the rest is read then follows the feed's end.
 */
export async function gatherEvidence(
  system: SystemUnderTest,
  jobs: readonly Job[],
): Promise<Evidence | null> {
  const { evidence, feedEnd } = await read(system, jobs)
  const since = await readOn(system, feedEnd)
  return since.ids.length === 0 ? evidence : null
}

async function read(
  system: SystemUnderTest,
  jobs: readonly Job[],
): Promise<{ evidence: Evidence; feedEnd: string | null }> {
  const { client, networks, receivers, gateway, members } = system
  const deliveries: FoundDelivery[] = []
  const manifests: FoundManifest[] = []
  const messages: FoundMessage[] = []
  const feed: FeedEvent[] = []
  const audit: Evidence['audit'][number][] = []
  const { all: events, next: feedEnd } = await pagesAfter(system, 'chaos', '/events', null)
  for (const event of events) {
    const { id, type, sequence, data } = event
    feed.push({
      id,
      type,
      sequence,
      deliveryId: data.delivery_id ?? '',
      status: data.status ?? null,
      previous: data.previous_status ?? null,
    })
  }
  for (const account of ACCOUNTS) {
    for (const found of await pages(system, account, '/deliveries')) deliveries.push({ ...found, account })
    for (const found of await pages(system, account, '/manifests')) manifests.push(found)
    for (const message of await pages(system, account, '/messages')) {
      messages.push({ ...message, deliveryId: message.delivery_id ?? '' })
    }
    audit.push(...(await pages(system, account, '/audit-log')).map((row) => ({ ...row, account })))
  }
  const ledgers = await readLedgers(networks)
  const evidence = {
    jobs,
    history: client.history,
    wrong: client.wrong,
    endedByThemselves: members.endedByThemselves,
    deliveries,
    manifests,
    feed,
    messages,
    audit,
    ...ledgers,
    hooks: receivers.map(({ hooks }) => hooks),
    texts: gateway.messages,
    labels: await readLabels(system, deliveries),
  }
  return { evidence, feedEnd }
}

/** The first and last bytes of the labels of booked deliveries, spread over the run. */
async function readLabels(
  system: SystemUnderTest,
  deliveries: readonly FoundDelivery[],
): Promise<Evidence['labels']> {
  const booked = deliveries.filter(({ account, label_url }) => account === 'chaos' && label_url)
  const step = Math.max(1, Math.floor(booked.length / LABELS_READ))
  const chosen = booked.filter((_, index) => index % step === 0)
  const labels: Evidence['labels'][number][] = []
  const queue = chosen.values()
  const reader = async (): Promise<void> => {
    for (const { reference } of queue) {
      const answer = await withRetries(system, 'chaos', `/deliveries/${reference}/label`)
      const text = answer?.text ?? ''
      labels.push({ reference, whole: text.startsWith('%PDF') && text.trimEnd().endsWith('%%EOF') })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, reader))
  return labels
}

/** Every page of a list. Throws if a page cannot be read. */
export async function pages(system: SystemUnderTest, account: AccountName, path: string): Promise<Json[]> {
  return (await pagesAfter(system, account, path, null)).all
}

/** The events of the feed after a cursor, and the next cursor. */
export async function readOn(
  system: SystemUnderTest,
  after: string | null,
): Promise<{ ids: string[]; next: string | null }> {
  const { all, next } = await pagesAfter(system, 'chaos', '/events', after)
  return { ids: all.map(({ id }) => id), next }
}

async function pagesAfter(
  system: SystemUnderTest,
  account: AccountName,
  path: string,
  from: string | null,
): Promise<{ all: Json[]; next: string | null }> {
  const all: Json[] = []
  const joint = path.includes('?') ? '&' : '?'
  for (let next = from; ; ) {
    const place: string = next === null ? '' : `&after=${encodeURIComponent(next)}`
    const answer = await withRetries(system, account, `${path}${joint}limit=${PAGE}${place}`)
    if (!answer) throw new Error(`${path} of ${account} could not be read.`)
    const { data, pagination } = answer.body
    all.push(...data)
    next = pagination.next
    if (!pagination.has_more) return { all, next }
  }
}

async function withRetries({ client }: SystemUnderTest, account: AccountName, path: string) {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const answer = await client.read(account, path)
    if (answer) return answer
    await sleep(PAUSE_MS)
  }
  return null
}
