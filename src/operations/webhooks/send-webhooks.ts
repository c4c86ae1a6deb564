import { noteFailure } from '../../observability/tracing/current.ts'
import { QUARANTINE_SLOTS, type QuarantineSlots } from '../../store/leases/poison-row-quarantine.ts'
import {
  claimDueWebhooks,
  type DueWebhookEndpoint,
  findQueuedWebhookAccounts,
  findWebhookAccounts,
  pauseWebhook,
  releaseWebhook,
} from '../../store/webhooks/due-webhooks.ts'
import { recordAttempt } from '../../store/webhooks/webhook-attempts.ts'
import {
  listReadySends,
  queueFromFeed,
  queueReplay,
  type ReadySend,
} from '../../store/webhooks/webhook-queue.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { publishEveryAccount } from '../events/publish-committed.ts'
import { inFairOrder, MAX_CLAIMS } from '../leases/claim.ts'
import { givenUpReason, toAttempt } from './webhook-attempt.ts'
import { webhookPayload } from './webhook-payload.ts'
import { webhookHeaders } from './webhook-secret.ts'

/** Twice the maximum duration of one attempt; every finished attempt extends the lease. */
export const WEBHOOK_LEASE_MS = 30_000
/** No attempt begins later in a turn, so that a stopping process need not wait long. */
const TURN_MS = 5_000
/** Deliveries whose events are sent to one endpoint in parallel. */
const MAX_IN_FLIGHT = 8
const PAGE = 200
/** Polls in a row that skip unread events: to find those, PostgreSQL reads every endpoint (7 to 14 ms for 10,000). */
const MAX_QUEUED_ONLY_POLLS = 4

/**
 * Makes the function that leases up to `limit` endpoints to this process: those that have pending events or must be
 * paused. It leases suspect rows only as far as `suspects` has slots. If a full search claims nothing, the next
 * `MAX_QUEUED_ONLY_POLLS` polls look only for queued sends and replays, unless they publish events. So a lost wake-up
 * delays a webhook by up to that many polls.
 */
export function makeWebhookClaimer() {
  let queuedOnlyPolls = MAX_QUEUED_ONLY_POLLS
  return async (
    deps: Deps,
    limit: number,
    suspects: QuarantineSlots = QUARANTINE_SLOTS,
    isPoll = false,
  ): Promise<DueWebhookEndpoint[]> => {
    const everyAccount = deps.accounts.list().map(({ accountId }) => accountId)
    // Endpoints are due for events that were published just now.
    const published = await publishEveryAccount(deps, everyAccount)
    const isQueuedOnly = isPoll && published === 0 && queuedOnlyPolls < MAX_QUEUED_ONLY_POLLS
    const found = await (isQueuedOnly ? findQueuedWebhookAccounts(deps.db) : findWebhookAccounts(deps.db))
    const nows = inFairOrder(deps, found)
    const claimed = await claimDueWebhooks(deps.db, nows, { limit, leaseMs: WEBHOOK_LEASE_MS, suspects })
    if (claimed.length > 0) queuedOnlyPolls = MAX_QUEUED_ONLY_POLLS
    else queuedOnlyPolls = isQueuedOnly ? queuedOnlyPolls + 1 : 0
    return claimed
  }
}

/** Bulkhead: every endpoint has its own turn, so a slow endpoint never delays another. */
export async function sendWebhooks(deps: Deps, due: readonly DueWebhookEndpoint[]): Promise<void> {
  await Promise.all(
    due.map(async (endpoint) => {
      try {
        await sendToOne(deps, endpoint)
      } catch (error) {
        const { endpointId } = endpoint
        noteFailure(error)
        deps.log.error(
          { err: error, endpoint: endpointId },
          'sending to a webhook endpoint failed; its lease will end',
        )
      }
    }),
  )
}

async function sendToOne(deps: Deps, endpoint: DueWebhookEndpoint): Promise<void> {
  const entry = await deps.accounts.find(endpoint.accountId)
  if (!entry) return
  if (endpoint.claims > MAX_CLAIMS) {
    await pause(deps, entry, endpoint, `Sending to it did not finish, ${MAX_CLAIMS} times in a row.`)
    return
  }
  const turn = makeTurn(deps, entry, endpoint)
  await turn.take()
}

function pause(deps: Deps, entry: AccountEntry, endpoint: DueWebhookEndpoint, reason: string): Promise<void> {
  return pauseWebhook(deps.db, endpoint, { reason, eventId: deps.newId('evt'), nowMs: entry.nowMs() })
}

/**
 * One endpoint's turn. Within a lane (a delivery), an event is sent only when the one before it is finished; lanes run
 * in parallel. Our own writes are sequential, so that each sees the result of the last.
 */
function makeTurn(deps: Deps, entry: AccountEntry, endpoint: DueWebhookEndpoint) {
  const { db } = deps
  const inFlight = new Map<string, Promise<void>>()
  const endsAtMs = performance.now() + TURN_MS
  let ready: ReadySend[] = []
  let going = true
  let failure: unknown = null
  let writes: Promise<unknown> = Promise.resolve()

  const inOrder = <T>(write: () => Promise<T>): Promise<T> => {
    const written = writes.then(write)
    writes = written.catch(() => undefined)
    return written
  }

  const readOn = async (): Promise<void> => {
    const share = { nowMs: entry.nowMs(), leaseMs: WEBHOOK_LEASE_MS, limit: PAGE }
    if (endpoint.hasReplays) endpoint.hasReplays = await queueReplay(db, endpoint, share)
    const place = await queueFromFeed(db, endpoint, share)
    if (!place) going = false
    else Object.assign(endpoint, place)
  }

  const refill = async (): Promise<ReadySend[]> => {
    const list = () =>
      listReadySends(db, endpoint, {
        nowMs: entry.nowMs(),
        limit: MAX_IN_FLIGHT * 4,
        without: [...inFlight.keys()],
      })
    const found = await list()
    if (found.length > 0) return found
    await readOn()
    return going ? list() : []
  }

  const sendOne = async (send: ReadySend): Promise<void> => {
    const body = JSON.stringify(webhookPayload(send))
    const headers = webhookHeaders(deps.sealer, endpoint, { id: send.id, body, wallMs: Date.now() })
    const startedMs = performance.now()
    const answer = await deps.postWebhook(endpoint.url, headers, body, send.traceparent)
    const durationMs = performance.now() - startedMs
    const made = toAttempt(deps, endpoint, send, answer, entry.nowMs())
    const ours = await inOrder(() => recordAttempt(db, endpoint, { ...made, durationMs }, WEBHOOK_LEASE_MS))
    if (made.outcome === 'delivered') endpoint.failingSinceMs = null
    else endpoint.failingSinceMs ??= made.atMs
    if (!ours || made.paused || made.heldUntilMs !== null) going = false
  }

  const begin = (send: ReadySend): void => {
    const sending = sendOne(send)
      .catch((error: unknown) => {
        failure ??= error
        going = false
      })
      .finally(() => inFlight.delete(send.id))
    inFlight.set(send.id, sending)
  }

  return {
    async take(): Promise<void> {
      for (;;) {
        const open = going && performance.now() < endsAtMs
        if (open && ready.length === 0 && inFlight.size < MAX_IN_FLIGHT) ready = await inOrder(refill)
        while (open && going && ready.length > 0 && inFlight.size < MAX_IN_FLIGHT) {
          begin(ready.shift() as ReadySend)
        }
        if (inFlight.size === 0) break
        await Promise.race(inFlight.values())
      }
      if (failure !== null) throw failure
      const { failingSinceMs } = endpoint
      // The remaining events may have been given up days ago, so no further attempt would fail and pause the endpoint.
      const reason = failingSinceMs === null ? null : givenUpReason(failingSinceMs, entry.nowMs())
      if (reason !== null) await pause(deps, entry, endpoint, reason)
      await releaseWebhook(db, endpoint)
      if (ready.length > 0 || endpoint.hasReplays) deps.wake()
    },
  }
}
