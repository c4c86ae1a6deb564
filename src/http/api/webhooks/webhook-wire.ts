import type { WebhookEndpoint } from '../../../operations/webhooks/webhook-endpoints.ts'
import type { WebhookAttempt } from '../../../operations/webhooks/webhook-history.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'

export function fromWebhookEndpoint(endpoint: WebhookEndpoint): Record<string, unknown> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    status: endpoint.pausedAtMs === null ? 'active' : 'paused',
    paused_at: toTime(endpoint.pausedAtMs),
    paused_reason: endpoint.pausedReason ?? undefined,
    failing_since: toTime(endpoint.failingSinceMs),
    pending_events: endpoint.backlog,
    created_at: recordTime(endpoint.createdAtMs),
    updated_at: recordTime(endpoint.updatedAtMs),
  }
}

export function fromWebhookAttempt(attempt: WebhookAttempt): Record<string, unknown> {
  return {
    event_id: attempt.eventId,
    type: attempt.type,
    attempt: attempt.number,
    at: recordTime(attempt.atMs),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    response_status: attempt.status ?? undefined,
    detail: attempt.message ?? undefined,
    next_attempt_at: toTime(attempt.nextAtMs),
  }
}

function toTime(ms: number | null): string | undefined {
  return ms === null ? undefined : recordTime(ms)
}
