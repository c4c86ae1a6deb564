import { DroverError } from './errors.ts'
import type { Page } from './pages.ts'
import { isTransient, sleep, toDelayMs } from './retry.ts'
import type { Event } from './types.generated.ts'

export type FollowOptions = {
  /** Where you stopped: the `next` of the last event that you handled. Without one, from the first event there is. */
  after?: string | undefined
  /** Ends the iterator, without an error. */
  signal?: AbortSignal | undefined
  /** Between requests while there are no new events; 5 s unless given. */
  pollMs?: number
}

/** `next`: store it once you have handled the event, and follow on after it. */
export type FollowedEvent = Event & { next: string | undefined }

export type EventFeed = {
  /**
   * The account's events in order, without gaps, for ever. It survives an outage of the API. After a restart, events
   * since the stored `next` come again: skip those whose `id` you have handled.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>
}

type EventPage = Page<Event>
type ListEvents = (query: { after?: string; limit: number; signal?: AbortSignal }) => Promise<EventPage>

const POLL_MS = 5_000
const PAGE_SIZE = 100

export function eventFeed(list: ListEvents): EventFeed {
  return {
    async *follow({ after, signal, pollMs = POLL_MS } = {}) {
      let failures = 0
      while (!signal?.aborted) {
        let page: EventPage
        try {
          page = await list({
            limit: PAGE_SIZE,
            ...(after !== undefined && { after }),
            ...(signal && { signal }),
          })
          failures = 0
        } catch (error) {
          if (signal?.aborted) return
          if (!(error instanceof DroverError && isTransient(error))) throw error
          await pause(Math.max(pollMs, toDelayMs(failures++, error.retryAfterMs)), signal)
          continue
        }
        const { data, pagination } = page
        for (const [index, event] of data.entries()) {
          // The cursor stands after the whole page: until its last event is handled, only the page's start is safe.
          yield { ...event, next: index === data.length - 1 ? (pagination.next ?? after) : after }
          if (signal?.aborted) return
        }
        after = pagination.next ?? after
        if (!pagination.has_more) await pause(pollMs, signal)
      }
    },
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, signal).catch(() => {})
}
