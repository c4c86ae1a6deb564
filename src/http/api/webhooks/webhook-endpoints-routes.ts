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
import { answerOnceEncrypted } from '../../idempotency/idempotency.ts'
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
    summary: 'Create a webhook endpoint',
    description:
      'Drover sends every new event to the endpoint by POST, signed according to Standard Webhooks. Each event is sent at least once, in order within a delivery. Drover retries a failed event for three days. The endpoint must answer 2xx within 15 seconds.',
    body: WebhookEndpointBody,
    moreIssues: rawUrlIssues,
    example: { url: 'https://hooks.shop.example/drover', event_types: ['delivery.booked'] },
    idempotency: 'own',
    answers: {
      201: {
        description: 'The endpoint with its secret. The secret is returned only here.',
        schema: WebhookSecretAnswer,
      },
    },
    refusals: [],
    handle(ask) {
      const { deps, entry, caller, body } = ask
      return answerOnceEncrypted(ask, async (keep) => {
        const newEndpoint = { url: body.url, eventTypes: body.event_types ?? null }
        const answer = withSecret((endpoint) =>
          created(`/${entry.account.id}/webhook-endpoints/${endpoint.id}`, { data: endpoint }),
        )
        return answer(
          await createWebhookEndpoint(deps, entry, caller, newEndpoint, async (db, endpoint) => {
            await ask.audit.record(db, { accountId: entry.account.id, object: endpoint.endpoint.id })
            await keep(db, answer(endpoint))
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
    summary: 'List webhook endpoints',
    answers: { 200: { description: 'All endpoints, oldest first.', schema: WebhookEndpointsAnswer } },
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
    summary: 'Get a webhook endpoint and its state',
    answers: { 200: { description: 'The endpoint.', schema: WebhookEndpointAnswer } },
    refusals: [],
    async handle(ask) {
      const endpoint = await getWebhookEndpoint(ask.deps, ask.entry, ask.caller, getId(ask))
      return json(200, { data: fromWebhookEndpoint(endpoint) })
    },
  }),
  tenantEndpoint({
    method: 'PATCH',
    url: ONE,
    operationId: 'changeWebhookEndpoint',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Change, pause or resume a webhook endpoint',
    description:
      'Drover pauses an endpoint that accepted no event for 5 days or answered 410. No event is lost: when the endpoint becomes `active` again, Drover sends the events that it missed.',
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
      const endpoint = await changeWebhookEndpoint(deps, entry, caller, getId(ask), change, audit.record)
      return json(200, { data: fromWebhookEndpoint(endpoint) })
    },
  }),
  tenantEndpoint({
    method: 'DELETE',
    url: ONE,
    operationId: 'deleteWebhookEndpoint',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Delete a webhook endpoint and its history',
    exampleCall: { path: { endpoint_id: '$OLD_ENDPOINT_ID' } },
    answers: { 204: { description: 'The endpoint is deleted.' } },
    refusals: [],
    async handle(ask) {
      await deleteWebhookEndpoint(ask.deps, ask.entry, ask.caller, getId(ask), ask.audit.record)
      return { status: 204, body: '' }
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: `${ONE}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    access: 'webhooks',
    tag: 'Events',
    summary: 'Rotate the signing secret',
    description: 'For 24 hours, Drover signs with both the old and the new secret.',
    body: EmptyBody,
    bodyOptional: true,
    idempotency: 'own',
    answers: {
      200: {
        description: 'The endpoint with its new secret. The secret is returned only here.',
        schema: WebhookSecretAnswer,
      },
    },
    refusals: [],
    handle(ask) {
      const { deps, entry, caller } = ask
      return answerOnceEncrypted(ask, async (keep) => {
        const answer = withSecret((data) => json(200, { data }))
        return answer(
          await rotateWebhookSecret(deps, entry, caller, getId(ask), async (db, endpoint) => {
            await ask.audit.record(db, { accountId: entry.account.id, object: endpoint.endpoint.id })
            await keep(db, answer(endpoint))
          }),
        )
      })
    },
  }),
]

/** A response with the endpoint and its secret. */
function withSecret(
  answer: (data: ReturnType<typeof fromWebhookEndpoint> & { secret: string }) => HttpResponse,
) {
  return ({ endpoint, secret }: WithSecret) => answer({ ...fromWebhookEndpoint(endpoint), secret })
}

function rawUrlIssues({ deps, body }: RefusedBody) {
  const { url } = record(body)
  return typeof url === 'string' ? webhookUrlIssues(deps, url) : []
}

function getId({ params }: Pick<TenantRequest, 'params'>): string {
  return params.endpoint_id as string
}
