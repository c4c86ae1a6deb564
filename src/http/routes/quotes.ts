import { explain } from '../../domain/quoting/explanation.ts'
import { checkDeliveryAvailability } from '../../operations/check-availability.ts'
import { type Quoted, quoteDelivery } from '../../operations/quote-delivery.ts'
import { GOODS_BODY } from '../body-limit.ts'
import { type Endpoint, json, tenantEndpoint } from '../endpoint.ts'
import { QuoteRequestBody } from '../schemas/delivery-request.ts'
import { QUOTE_EXAMPLE } from '../schemas/examples.ts'
import { AvailabilityAnswer, ExplainQuery, QuoteAnswer } from '../schemas/quote.ts'
import { toQuoteRequest } from '../wire/delivery-request.ts'
import { fromAvailability, fromAvailabilityDecision, fromDecision, fromExplanation } from '../wire/quote.ts'

/** A quote under way waits for carriers and costs little more than its memory. */
const WAITING_FOR_CARRIERS = 2_000

export const QUOTE_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/quote-next-available',
    operationId: 'quoteDelivery',
    unaudited: 'It only asks.',
    access: 'quotes',
    tag: 'Quotes',
    summary: 'Quote a delivery',
    description: 'Price and earliest window of each delivery type that a carrier can do. Nothing is stored.',
    query: ExplainQuery,
    body: QuoteRequestBody,
    bodyLimit: GOODS_BODY,
    example: QUOTE_EXAMPLE,
    crossFields: 'quote',
    atOnce: WAITING_FOR_CARRIERS,
    answers: { 200: { description: 'One option for each type that can be had.', schema: QuoteAnswer } },
    refusals: [],
    handle({ deps, entry, caller, body, query }) {
      const quoted = quoteDelivery(deps, entry, caller, toQuoteRequest(body))
      const answer = ({ decision, job }: Quoted) => {
        const data = fromDecision(entry.account, job.store, decision)
        if (!query.explain) return json(200, { data })
        return json(200, { data, explanation: fromExplanation(explain(decision), job.store.zone) })
      }
      return quoted instanceof Promise ? quoted.then(answer) : answer(quoted)
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/quote/availability',
    operationId: 'checkAvailability',
    unaudited: 'It only asks.',
    access: 'quotes',
    tag: 'Quotes',
    summary: 'Availability',
    description:
      'The earliest window of each delivery type, from hours, holidays and cut-offs alone. An estimate.',
    query: ExplainQuery,
    body: QuoteRequestBody,
    bodyLimit: GOODS_BODY,
    example: QUOTE_EXAMPLE,
    crossFields: 'quote',
    atOnce: WAITING_FOR_CARRIERS,
    answers: { 200: { description: 'A window for each type that can be had.', schema: AvailabilityAnswer } },
    refusals: [],
    handle({ entry, caller, body, query }) {
      const { availability, job } = checkDeliveryAvailability(entry, caller, toQuoteRequest(body))
      const windows = fromAvailability(availability, job.store.zone)
      if (!query.explain) return json(200, windows)
      return json(200, { ...windows, explanation: fromAvailabilityDecision(availability, job.store.zone) })
    },
  }),
]
