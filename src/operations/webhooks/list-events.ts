import type { Issue } from '../../domain/errors.ts'
import type { Db } from '../../store/db/db.ts'
import { type FeedEvent, listFeed } from '../../store/deliveries/event-feed.ts'
import { findFeedPosition, findLastFeedPosition } from '../../store/deliveries/publish-events.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, visibleStoreIds } from '../directory/caller.ts'
import { publishCommitted } from '../events/publish-committed.ts'
import { cursorIssues, readCursor, toCursor } from '../lists/cursor.ts'

/**
 * One page of the event feed, oldest first. `next` continues after the last event, even if there is nothing newer yet,
 * so a reader who stores it misses nothing and reads nothing twice.
 */
export async function listEvents(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ events: FeedEvent[]; next: string | null; hasMore: boolean }> {
  const { db } = deps
  const accountId = entry.account.id
  const place = after === LATEST ? null : await readFeedPosition(db, accountId, after)
  // The webhooks of these events are due as well.
  if ((await publishCommitted(deps, [accountId])) > 0) deps.wake()
  if (place === null)
    return { events: [], next: toCursorText(await findLastFeedPosition(db, accountId)), hasMore: false }
  const storeIds = visibleStoreIds(entry.account, caller)
  const found = await listFeed(db, accountId, { after: place, storeIds, limit: limit + 1 })
  const events = found.slice(0, limit)
  const last = events.at(-1)
  return { events, next: last ? toCursorText(last.feedPosition) : after, hasMore: found.length > limit }
}

/** Requests a cursor at the end of the feed. */
const LATEST = 'latest'

/** The issues of a feed cursor. */
export function feedIssues(after: string | null): Issue[] {
  return after === LATEST ? [] : cursorIssues(after, PLACE)
}

/** Our cursor, or a transaction number and a position as in cursors of the previous release. */
const PLACE = /^\d{1,18}\.\d{1,15}$/

/**
 * Takes the place of the transaction number in the previous release's cursors and is higher than any: until they are
 * replaced, processes of that release answer our cursors with an empty page and the same cursor.
 */
const OURS = '900000000000000000'

function toCursorText(place: number): string {
  return toCursor(`${OURS}.${place}`)
}

async function readFeedPosition(db: Db, accountId: string, after: string | null): Promise<number> {
  const [tx, position] = readCursor(after, PLACE)?.split('.') ?? []
  if (tx === undefined) return 0
  if (tx === OURS) return Number(position)
  return findFeedPosition(db, accountId, { tx, position: Number(position) })
}
