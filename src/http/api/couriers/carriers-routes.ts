import { z } from 'zod'
import {
  type CarrierWebhook,
  grantCarrierToken,
  receiveCarrierWebhook,
} from '../../../operations/carriers/receive-carrier-webhook.ts'
import { CARRIER_EVENTS_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, openEndpoint, type RequestContext } from '../../contract/endpoint.ts'

const CarrierEventsAnswer = z
  .strictObject({ data: z.strictObject({ accepted: z.int(), unreadable: z.int() }) })
  .meta({ id: 'CarrierWebhookAnswer' })

const CarrierToken = z
  .strictObject({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() })
  .meta({ id: 'CarrierToken' })

const ADDRESS =
  'If the carrier’s `provider` in the account document differs from its adapter’s name, `adapter` is that `provider`.'

export const CARRIER_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/carriers/:adapter/:account/webhooks',
    operationId: 'receiveCarrierWebhook',
    unaudited: 'Every carrier update is stored unchanged with its delivery.',
    access: 'public',
    tag: 'Carriers',
    summary: 'Receive a carrier’s webhook',
    description: `Carriers report tracking events here. The body and its signature have the carrier’s own format; the adapter verifies them. ${ADDRESS}`,
    bodyForm: 'raw',
    bodyLimit: CARRIER_EVENTS_BODY,
    rawMedia: 'application/json',
    example: { event_id: 'evt-1', event_type: 'delivery_status' },
    exampleCall: { status: { code: 401, because: 'only the carrier can sign it' } },
    answers: {
      200: {
        description: 'The number of accepted events, and of events that could not be read.',
        schema: CarrierEventsAnswer,
      },
    },
    refusals: ['not_found', 'unauthorized', 'payload_too_large', 'booking_in_progress'],
    async handle(ask) {
      const { accepted, unreadable } = await receiveCarrierWebhook(ask.deps, toCarrierWebhook(ask))
      return json(200, { data: { accepted, unreadable } })
    },
  }),
  openEndpoint({
    method: 'POST',
    url: '/carriers/:adapter/:account/token',
    operationId: 'grantCarrierToken',
    unaudited: 'Tokens are stored nowhere.',
    access: 'public',
    tag: 'Carriers',
    summary: 'Get a token for a carrier’s webhooks',
    description: `Issues a token to a carrier that authenticates its webhooks by OAuth 2.0 client credentials, in HTTP Basic or in a form. The token is valid only for the webhooks of this carrier. ${ADDRESS}`,
    bodyForm: 'raw',
    rawMedia: 'application/x-www-form-urlencoded',
    example: { grant_type: 'client_credentials' },
    exampleCall: { status: { code: 404, because: 'the demo’s carriers sign what they send' } },
    answers: { 200: { description: 'A token that is valid for one hour.', schema: CarrierToken } },
    refusals: ['not_found', 'unauthorized', 'payload_too_large'],
    async handle(ask) {
      const { access_token, expires_in } = await grantCarrierToken(ask.deps, toCarrierWebhook(ask))
      return json(200, { access_token, token_type: 'Bearer', expires_in })
    },
  }),
]

function toCarrierWebhook({ params, body, request }: RequestContext): CarrierWebhook {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  return {
    accountId: params.account as string,
    provider: params.adapter as string,
    headers,
    body: (body as Buffer | undefined) ?? Buffer.alloc(0),
  }
}
