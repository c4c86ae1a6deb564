import { record } from '../../../domain/untyped-json.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  type WithSecret,
  webhookUrlIssues,
} from '../../../operations/webhooks/webhook-endpoints.ts'
import {
  created,
  type Endpoint,
  type HttpResponse,
  json,
  type RefusedBody,
  type TenantRequest,
  tenantEndpoint,
  wholeList,
} from '../../contract/endpoint.ts'
import { answerOnceEncrypted } from '../../idempotency/encrypted-response.ts'
import { EmptyBody } from '../deliveries/lists-schema.ts'
import {
  WebhookEndpointAnswer,
  WebhookEndpointBody,
  WebhookEndpointPatchBody,
  WebhookEndpointsAnswer,
  WebhookSecretAnswer,
} from './webhook-schema.ts'
import { fromWebhookEndpoint } from './webhook-wire.ts'

const ALL = '/:tenant_id/webhook-endpoints'
const ONE = `${ALL}/:endpoint_id`

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: ALL,
    operationId: 'createWebhookEndpoint',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Be told of events',
    description:
      'From now on every event is posted there, signed as Standard Webhooks asks: at least once, in order within a delivery, tried again for three days. Answer 2xx within 15 s.',
    body: WebhookEndpointBody,
    moreIssues: rawUrlIssues,
    example: { url: 'https://hooks.shop.example/drover', event_types: ['delivery.booked'] },
    idempotency: 'own',
    answers: { 201: { description: 'The endpoint, and its secret this once.', schema: WebhookSecretAnswer } },
    refusals: [],
    handle(ask) {
      const { deps, entry, caller, body } = ask
      return answerOnceEncrypted(ask, async (keep) => {
        const asked = { url: body.url, eventTypes: body.event_types ?? null }
        const answer = withSecret((made) =>
          created(`/${entry.account.id}/webhook-endpoints/${made.id}`, { data: made }),
        )
        return answer(
          await createWebhookEndpoint(deps, entry, caller, asked, async (db, made) => {
            await ask.audit.record(db, { accountId: entry.account.id, object: made.endpoint.id })
            await keep(db, answer(made))
          }),
        )
      })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: ALL,
    operationId: 'listWebhookEndpoints',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Who is told of events',
    answers: { 200: { description: 'Oldest first.', schema: WebhookEndpointsAnswer } },
    refusals: [],
    async handle({ deps, entry, caller }) {
      const endpoints = await listWebhookEndpoints(deps, entry, caller)
      return wholeList(endpoints.map(fromWebhookEndpoint))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: ONE,
    operationId: 'getWebhookEndpoint',
    access: 'webhooks',
    tag: 'Events',
    summary: 'One endpoint, how it fares',
    answers: { 200: { description: 'The endpoint.', schema: WebhookEndpointAnswer } },
    refusals: [],
    async handle(ask) {
      const endpoint = await getWebhookEndpoint(ask.deps, ask.entry, ask.caller, idOf(ask))
      return json(200, { data: fromWebhookEndpoint(endpoint) })
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: ONE,
    operationId: 'changeWebhookEndpoint',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Change, pause or resume an endpoint',
    description:
      'An endpoint that took nothing for 5 days, or answered 410, is paused by us. Nothing is lost meanwhile: made `active` again it is told all that happened.',
    body: WebhookEndpointPatchBody,
    moreIssues: rawUrlIssues,
    example: { event_types: ['delivery.booked', 'delivery.cancelled'] },
    answers: { 200: { description: 'The endpoint.', schema: WebhookEndpointAnswer } },
    refusals: [],
    async handle(ask) {
      const { deps, entry, caller, audit } = ask
      const { url, event_types, status } = ask.body
      const change = {
        ...(url === undefined ? {} : { url }),
        ...(event_types === undefined ? {} : { eventTypes: event_types }),
        ...(status === undefined ? {} : { active: status === 'active' }),
      }
      const endpoint = await changeWebhookEndpoint(deps, entry, caller, idOf(ask), change, audit.record)
      return json(200, { data: fromWebhookEndpoint(endpoint) })
    },
  }),
  tenantEndpoint({
    method: 'DELETE',
    url: ONE,
    operationId: 'deleteWebhookEndpoint',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Delete an endpoint, and its history',
    exampleCall: { path: { endpoint_id: '$OLD_ENDPOINT_ID' } },
    answers: { 204: { description: 'Gone.' } },
    refusals: [],
    async handle(ask) {
      await deleteWebhookEndpoint(ask.deps, ask.entry, ask.caller, idOf(ask), ask.audit.record)
      return { status: 204, body: '' }
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Make a new secret',
    description: 'Old and new secret both sign for 24 hours.',
    body: EmptyBody,
    bodyOptional: true,
    idempotency: 'own',
    answers: {
      200: { description: 'The endpoint, and its new secret this once.', schema: WebhookSecretAnswer },
    },
    refusals: [],
    handle(ask) {
      const { deps, entry, caller } = ask
      return answerOnceEncrypted(ask, async (keep) => {
        const answer = withSecret((data) => json(200, { data }))
        return answer(
          await rotateWebhookSecret(deps, entry, caller, idOf(ask), async (db, made) => {
            await ask.audit.record(db, { accountId: entry.account.id, object: made.endpoint.id })
            await keep(db, answer(made))
          }),
        )
      })
    },
  }),
]

/** An answer with the endpoint and its secret. */
function withSecret(
  answer: (data: ReturnType<typeof fromWebhookEndpoint> & { secret: string }) => HttpResponse,
) {
  return ({ endpoint, secret }: WithSecret) => answer({ ...fromWebhookEndpoint(endpoint), secret })
}

function rawUrlIssues({ deps, body }: RefusedBody) {
  const { url } = record(body)
  return typeof url === 'string' ? webhookUrlIssues(deps, url) : []
}

function idOf({ params }: Pick<TenantRequest, 'params'>): string {
  return params.endpoint_id as string
}
