import { isGivenUp, nextAttemptMs, silentUntilMs } from '../../domain/webhooks/retry.ts'
import type { WebhookAnswer } from '../../notify/webhook-post.ts'
import type { DueWebhookEndpoint } from '../../store/webhooks/due-webhooks.ts'
import type { NewAttempt } from '../../store/webhooks/webhook-attempts.ts'
import type { ReadySend } from '../../store/webhooks/webhook-queue.ts'
import type { Deps } from '../deps.ts'

/** Statuses with which a receiver requests a pause, if it sends `Retry-After`. */
const ASKS_FOR_SILENCE = new Set([429, 503])
const GONE = 410

/** What one response means for the event and for the endpoint. Only 2xx is success; a redirect is a failure. */
export function toAttempt(
  deps: Pick<Deps, 'newId'>,
  endpoint: Pick<DueWebhookEndpoint, 'failingSinceMs'>,
  send: ReadySend,
  answer: WebhookAnswer,
  nowMs: number,
): Omit<NewAttempt, 'durationMs'> {
  const status = answer.kind === 'answered' ? answer.status : null
  const made = {
    eventId: send.id,
    lane: send.lane,
    position: send.position,
    type: send.type,
    number: send.attempts + 1,
    atMs: nowMs,
    status,
    message: formatAnswer(answer),
    nextAtMs: null,
    heldUntilMs: null,
    paused: null,
  }
  if (status !== null && status >= 200 && status < 300) return { ...made, outcome: 'delivered' }

  const heldUntilMs = toSilentUntilMs(answer, nowMs)
  const nextAtMs = nextAttemptMs({
    attempts: made.number,
    firstMs: send.firstAtMs ?? nowMs,
    nowMs,
    chance: Math.random(),
    silentUntilMs: heldUntilMs,
  })
  const reason = pauseReason(status, endpoint.failingSinceMs ?? nowMs, nowMs)
  return {
    ...made,
    outcome: nextAtMs === null ? 'exhausted' : 'failed',
    nextAtMs,
    heldUntilMs,
    paused: reason === null ? null : { reason, eventId: deps.newId('evt') },
  }
}

function pauseReason(status: number | null, failingSinceMs: number, nowMs: number): string | null {
  if (status === GONE) return 'The endpoint answered 410 (Gone).'
  return givenUpReason(failingSinceMs, nowMs)
}

/** Why an endpoint that has failed since then is paused; null while it is still called. */
export function givenUpReason(failingSinceMs: number, nowMs: number): string | null {
  return isGivenUp(failingSinceMs, nowMs) ? 'The endpoint has not accepted an event for 5 days.' : null
}

/** `Retry-After` as seconds or as a date. */
function toSilentUntilMs(answer: WebhookAnswer, nowMs: number): number | null {
  if (answer.kind !== 'answered' || !ASKS_FOR_SILENCE.has(answer.status) || answer.retryAfter === null)
    return null
  const text = answer.retryAfter.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? silentUntilMs(nowMs, seconds) : null
}

function formatAnswer(answer: WebhookAnswer): string | null {
  if (answer.kind === 'failed') return answer.message
  if (answer.status >= 300 && answer.status < 400)
    return 'It answered with a redirect, which is not followed.'
  return answer.excerpt === '' ? null : answer.excerpt
}
