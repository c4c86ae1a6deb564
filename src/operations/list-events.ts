import { Refusal } from '../domain/errors.ts'
import { type FeedEvent, type FeedPlace, findFeedEnd, listFeed } from '../store/event-feed.ts'
import type { AccountEntry } from './account-directory.ts'
import { type Caller, visibleStoreIds } from './caller.ts'
import type { Deps } from './deps.ts'

/**
 * One page of everything that happened, oldest first. `next` goes on after its last event, also when there is
 * nothing more yet, so that a reader who keeps it misses nothing and reads nothing twice.
 */
export async function listEvents(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ events: FeedEvent[]; next: string | null; hasMore: boolean }> {
  if (after === LATEST) {
    const end = await findFeedEnd(deps.db, entry.account.id)
    return { events: [], next: cursorOf(end ?? { tx: '0', position: 0 }), hasMore: false }
  }
  const found = await listFeed(deps.db, entry.account.id, {
    after: after === null ? null : placeOf(after),
    storeIds: visibleStoreIds(entry.account, caller),
    limit: limit + 1,
  })
  const events = found.slice(0, limit)
  const last = events.at(-1)
  return { events, next: last ? cursorOf(last) : after, hasMore: found.length > limit }
}

/** Asks for a place to listen from. */
const LATEST = 'latest'

function cursorOf({ tx, position }: FeedPlace): string {
  return Buffer.from(`${tx}.${position}`).toString('base64url')
}

function placeOf(cursor: string): FeedPlace {
  const [, tx, position] = /^(\d{1,18})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (tx !== undefined && position !== undefined) return { tx, position: Number(position) }
  const message = 'after must be the `next` of an earlier page, unchanged.'
  throw new Refusal('invalid_request', 'The query cannot be answered as it is.', {
    issues: [{ field: 'after', issue: 'invalid_value', message }],
  })
}
