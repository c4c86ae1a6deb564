import { z } from 'zod'
import { receiveCarrierNews } from '../../operations/receive-carrier-news.ts'
import { type Endpoint, json, openEndpoint } from '../endpoint.ts'

const NewsAnswer = z
  .strictObject({ data: z.strictObject({ accepted: z.int(), unreadable: z.int() }) })
  .meta({ id: 'CarrierNewsAnswer' })

export const CARRIER_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/carriers/:adapter/:account/webhooks',
    operationId: 'receiveCarrierNews',
    unaudited: 'Every word of a carrier is kept as it came, with its delivery.',
    access: 'public',
    tag: 'Carriers',
    summary: 'Where carriers report',
    description: 'The body and its signature are the carrier’s own; each adapter checks them.',
    bodyForm: 'raw',
    answers: { 200: { description: 'How many events were taken.', schema: NewsAnswer } },
    refusals: ['not_found', 'unauthorized', 'payload_too_large', 'booking_in_progress'],
    async handle({ deps, params, body, request }) {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value[0] : value,
        ]),
      )
      const { accepted, unreadable } = await receiveCarrierNews(deps, {
        accountId: params.account as string,
        provider: params.adapter as string,
        headers,
        body: (body as Buffer | undefined) ?? Buffer.alloc(0),
      })
      return json(200, { data: { accepted, unreadable } })
    },
  }),
]
