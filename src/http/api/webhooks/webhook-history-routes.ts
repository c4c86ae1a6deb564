import { parseTimestamp, toInstantMs } from '../../../domain/calendar/timestamp.ts'
import type { Zone } from '../../../domain/calendar/zone.ts'
import type { Issue } from '../../../domain/errors.ts'
import { refuse } from '../../../domain/refuse.ts'
import { record } from '../../../domain/untyped-json.ts'
import {
  ATTEMPT_PLACE,
  countReplay,
  listWebhookAttempts,
  type Replay,
  replayWebhooks,
} from '../../../operations/webhooks/webhook-history.ts'
import { REFERENCES_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { placeIssues } from '../../input/list-query.ts'
import {
  AttemptsAnswer,
  AttemptsQuery,
  ReplayBody,
  ReplayCountAnswer,
  WebhookEndpointAnswer,
} from './webhook-schema.ts'
import { fromWebhookAttempt, fromWebhookEndpoint } from './webhook-wire.ts'

const ONE = '/:tenant_id/webhook-endpoints/:endpoint_id'

export const WEBHOOK_HISTORY_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: `${ONE}/attempts`,
    operationId: 'listWebhookAttempts',
    readsReplica: true,
    access: 'webhooks',
    tag: 'Events',
    summary: 'List the delivery attempts of a webhook endpoint, newest first',
    description: 'Attempts are kept for 30 days.',
    query: AttemptsQuery,
    moreOfQuery: placeIssues(ATTEMPT_PLACE),
    answers: { 200: { description: 'One page of attempts.', schema: AttemptsAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, params, query }) {
      const page = { after: query.after ?? null, eventId: query.event_id ?? null, limit: query.limit ?? 50 }
      const id = params.endpoint_id as string
      const { attempts, next } = await listWebhookAttempts(deps, entry, caller, id, page)
      return json(200, {
        data: attempts.map(fromWebhookAttempt),
        pagination: { next, has_more: next !== null },
      })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/replay`,
    operationId: 'replayWebhooks',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Send events again',
    description:
      'Sends the named events again, or every event since a time, each with its original `webhook-id`. Events that wait for their next attempt are sent at once. A paused endpoint receives the events when it is active again.',
    body: ReplayBody,
    bodyLimit: REFERENCES_BODY,
    moreIssues: ({ body }) => choiceIssues(record(body)),
    example: { from: '2026-11-24T10:00:00+11:00' },
    answers: {
      200: {
        description: 'With `dry_run`: the number of events. Nothing is sent.',
        schema: ReplayCountAnswer,
      },
      202: { description: 'The events are queued for sending.', schema: WebhookEndpointAnswer },
    },
    refusals: [],
    async handle({ deps, entry, caller, params, body, audit }) {
      const replay = toReplay(body, entry.account.zone)
      const id = params.endpoint_id as string
      if (body.dry_run) {
        audit.nothing()
        const { count, isWhole } = await countReplay(deps, entry, caller, id, replay)
        return json(200, { data: { count, at_least: !isWhole } })
      }
      const endpoint = await replayWebhooks(deps, entry, caller, id, replay, audit.record)
      return json(202, { data: fromWebhookEndpoint(endpoint) })
    },
  }),
]

function toReplay({ event_ids: eventIds, from }: ReplayBody, zone: Zone): Replay {
  const timestamp = from === undefined ? null : parseTimestamp(from)
  if (eventIds && !timestamp) return { eventIds: [...new Set(eventIds)] }
  if (timestamp && !eventIds) return { fromMs: toInstantMs(timestamp, zone) }
  return refuse(choiceIssues({ event_ids: eventIds, from }))
}

/** Requires exactly one of the two fields, whether or not its value is valid. */
function choiceIssues({ event_ids: eventIds, from }: { event_ids?: unknown; from?: unknown }): Issue[] {
  if (eventIds !== undefined && from !== undefined)
    return [{ field: 'from', issue: 'conflict', message: 'Send event_ids or from, not both.' }]
  if (eventIds !== undefined || from !== undefined) return []
  return [{ field: 'event_ids', issue: 'required', message: 'Send event_ids or from to select the events.' }]
}
