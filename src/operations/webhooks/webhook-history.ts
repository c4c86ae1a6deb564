import { type Issue, Refusal } from '../../domain/errors.ts'
import { summariseIssues } from '../../domain/refuse.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { listAttempts, type WebhookAttempt } from '../../store/webhooks/webhook-attempts.ts'
import {
  countReplayEvents,
  countReplayFrom,
  holdWebhookEndpoint,
  locateEvents,
  type ReplayCount,
  replayEvents,
  replayFrom,
} from '../../store/webhooks/webhook-replays.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { readCursor, toCursor } from '../lists/cursor.ts'
import { getWebhookEndpoint, noSuchEndpoint, type WebhookEndpoint } from './webhook-endpoints.ts'

export type { WebhookAttempt } from '../../store/webhooks/webhook-attempts.ts'
export type { ReplayCount } from '../../store/webhooks/webhook-replays.ts'

export const ATTEMPT_PLACE = /^\d{1,15}$/

/** Every attempt to send an event to an endpoint, newest first. */
export async function listWebhookAttempts(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
  { after, eventId, limit }: { after: string | null; eventId: string | null; limit: number },
): Promise<{ attempts: WebhookAttempt[]; next: string | null }> {
  const endpoint = await getWebhookEndpoint(deps, entry, caller, endpointId)
  const before = readCursor(after, ATTEMPT_PLACE)
  const found = await listAttempts(deps.db, endpoint.accountId, endpoint.id, {
    before: before === null ? null : Number(before),
    eventId,
    limit: limit + 1,
  })
  const attempts = found.slice(0, limit)
  const last = attempts.at(-1)
  return { attempts, next: found.length > limit && last ? toCursor(String(last.attempt)) : null }
}

export type Replay = { eventIds: readonly string[] } | { fromMs: number }

/**
 * Re-sends events with their original ids: the named ones, or all since a given time that the endpoint subscribes to.
 * An event that waits for a retry is sent at once.
 */
export async function replayWebhooks(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
  replay: Replay,
  record: WriteAudit = noAudit,
): Promise<WebhookEndpoint> {
  const endpoint = await getWebhookEndpoint(deps, entry, caller, endpointId)
  const { accountId } = endpoint
  const one = { accountId, endpointId: endpoint.id }
  await withTransaction(deps.db, async (db) => {
    if (!(await holdWebhookEndpoint(db, one))) throw noSuchEndpoint(endpointId)
    if ('fromMs' in replay) await replayFrom(db, one, replay.fromMs)
    else await replayEvents(db, one, await locate(db, endpoint, replay.eventIds))
    await record(db, { accountId, object: endpoint.id })
  })
  deps.wake()
  return endpoint
}

/** Only this many of the latest events are counted, which takes a tenth of a second on a feed of millions. */
const MAX_COUNTED = 100_000

/** How many events a replay would send. */
export async function countReplay(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  endpointId: string,
  replay: Replay,
  maxCounted = MAX_COUNTED,
): Promise<ReplayCount> {
  const endpoint = await getWebhookEndpoint(deps, entry, caller, endpointId)
  const one = { accountId: endpoint.accountId, endpointId: endpoint.id }
  if ('fromMs' in replay) return countReplayFrom(deps.db, one, replay.fromMs, maxCounted)
  return countReplayEvents(deps.db, one, await locate(deps.db, endpoint, replay.eventIds))
}

/** Refuses `invalid_request` for events that do not belong to the endpoint. */
async function locate(
  db: Db,
  { accountId, storeIds }: WebhookEndpoint,
  eventIds: readonly string[],
): Promise<{ stream: string; position: number }[]> {
  const known = await locateEvents(db, accountId, eventIds, storeIds)
  refuseUnknown(eventIds, new Set(known.map((event) => event.id)))
  return known
}

function refuseUnknown(asked: readonly string[], known: ReadonlySet<string>): void {
  const issues = asked.flatMap((id, index): Issue[] => {
    const message = `There is no event ${id}.`
    return known.has(id) ? [] : [{ field: `event_ids[${index}]`, issue: 'invalid_value', message }]
  })
  if (issues.length === 0) return
  throw new Refusal('invalid_request', summariseIssues(issues), { issues })
}
