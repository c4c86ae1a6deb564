import type { Issue } from '../domain/errors.ts'
import { type FeedEvent, type FeedPlace, findFeedEnd, listFeed } from '../store/event-feed.ts'
import type { AccountEntry } from './account-directory.ts'
import { type Caller, visibleStoreIds } from './caller.ts'
import { cursorIssues, cursorOf, readCursor } from './cursor.ts'
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
    return { events: [], next: nextOf(end ?? { tx: '0', position: 0 }), hasMore: false }
  }
  const found = await listFeed(deps.db, entry.account.id, {
    after: placeOf(after),
    storeIds: visibleStoreIds(entry.account, caller),
    limit: limit + 1,
  })
  const events = found.slice(0, limit)
  const last = events.at(-1)
  return { events, next: last ? nextOf(last) : after, hasMore: found.length > limit }
}

/** Asks for a place to listen from. */
const LATEST = 'latest'

/** What is wrong with a place to read on from. */
export function feedIssues(after: string | null): Issue[] {
  return after === LATEST ? [] : cursorIssues(after, PLACE)
}

const PLACE = /^\d{1,18}\.\d{1,15}$/

function nextOf({ tx, position }: FeedPlace): string {
  return cursorOf(`${tx}.${position}`)
}

function placeOf(after: string | null): FeedPlace | null {
  const [tx, position] = readCursor(after, PLACE)?.split('.') ?? []
  return tx === undefined ? null : { tx, position: Number(position) }
}
