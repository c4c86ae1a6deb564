import type { FoundManifest } from '../harness/hand-over.ts'
import { inFlight, pages, pagesAfter } from '../harness/http.ts'
import { ACCOUNTS } from './account.ts'
import type { Evidence, FeedEvent, FoundDelivery, FoundMessage } from './evidence.ts'
import type { Job } from './jobs.ts'
import type { SystemUnderTest } from './system-under-test.ts'

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
  const { client, receivers, gateway, members, readers } = system
  const deliveries: FoundDelivery[] = []
  const manifests: FoundManifest[] = []
  const messages: FoundMessage[] = []
  const audit: Evidence['audit'][number][] = []
  const { all: events, next: feedEnd } = await pagesAfter(readers.chaos, '/events')
  for (const account of ACCOUNTS) {
    for (const found of await pages(readers[account], '/deliveries'))
      deliveries.push({ ...found, account, isUnanswered: isLeftToStaff(system, found) })
    for (const found of await pages(readers[account], '/manifests')) manifests.push(found)
    for (const message of await pages(readers[account], '/messages')) {
      messages.push({ ...message, deliveryId: message.delivery_id ?? '' })
    }
    audit.push(...(await pages(readers[account], '/audit-log')).map((row) => ({ ...row, account })))
  }
  const evidence = {
    jobs,
    history: client.history,
    wrong: client.wrong,
    endedByThemselves: members.endedByThemselves,
    deliveries,
    manifests,
    feed: events.map(
      ({ id, type, sequence, data }): FeedEvent => ({
        ...{ id, type, sequence, deliveryId: data.delivery_id ?? '' },
        ...{ status: data.status ?? null, previous: data.previous_status ?? null },
      }),
    ),
    messages,
    audit,
    ...(await system.readLedger(deliveries)),
    hooks: receivers.map(({ hooks }) => hooks),
    texts: gateway.messages,
    labels: await readLabels(system, deliveries),
  }
  return { evidence, feedEnd }
}

/** Whether only the carrier's staff can know the outcome of the delivery's booking. */
export function isLeftToStaff(
  { profile: { onlyStaffKnow } }: SystemUnderTest,
  { status_reason = '' }: { status_reason?: string },
): boolean {
  return onlyStaffKnow?.test(status_reason) ?? false
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
  await inFlight(chosen, AT_ONCE, async ({ reference }) => {
    const { status, text } = await system.readers.chaos(`GET /deliveries/${reference}/label`)
    const whole = status < 300 && text.startsWith('%PDF') && text.trimEnd().endsWith('%%EOF')
    labels.push({ reference, whole })
  })
  return labels
}

/** The events of the feed after a cursor, and the next cursor. */
export async function readOn(
  system: SystemUnderTest,
  after: string | null,
): Promise<{ ids: string[]; next: string | null }> {
  const { all, next } = await pagesAfter(system.readers.chaos, '/events', after)
  return { ids: all.map(({ id }) => id), next }
}
