import { explain } from '../../../domain/quoting/explanation.ts'
import {
  checkDeliveryAvailability,
  type Quoted,
  quoteDelivery,
} from '../../../operations/quoting/quote-delivery.ts'
import {
  type HeldByType,
  holdOptions,
  holdWindows,
  toHolding,
} from '../../../operations/quoting/quote-token/hold-options.ts'
import { GOODS_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { QUOTE_EXAMPLE } from '../fields/examples.ts'
import { QuoteRequestBody } from './delivery-request-schema.ts'
import { toQuoteRequest } from './delivery-request-wire.ts'
import { AvailabilityAnswer, QuoteAnswer, QuoteQuery } from './quote-schema.ts'
import { fromAvailability, fromAvailabilityDecision, fromDecision, fromExplanation } from './quote-wire.ts'

/** Bulkhead: the limit is high because a quote in progress mostly waits for carriers and costs little but memory. */
const WAITING_FOR_CARRIERS = 2_000

export const QUOTE_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/quote-next-available',
    operationId: 'quoteDelivery',
    unaudited: 'It only reads.',
    access: 'quotes',
    tag: 'Quotes',
    summary: 'Quote a delivery',
    description:
      'Returns the price and the earliest window of each available delivery type. Nothing is stored.',
    query: QuoteQuery,
    body: QuoteRequestBody,
    bodyLimit: GOODS_BODY,
    example: QUOTE_EXAMPLE,
    crossFields: 'quote',
    atOnce: WAITING_FOR_CARRIERS,
    answers: { 200: { description: 'One option for each available delivery type.', schema: QuoteAnswer } },
    refusals: [],
    handle({ deps, entry, caller, body, query }) {
      const request = toQuoteRequest(body)
      const quoted = quoteDelivery(deps, entry, caller, request)
      const answer = ({ decision, job }: Quoted) => {
        const held = query.hold ? holdOptions(toHolding(deps, entry, request, job), job, decision) : undefined
        const data = fromDecision(entry.account, job.store, decision, held)
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
    unaudited: 'It only reads.',
    access: 'quotes',
    tag: 'Quotes',
    summary: 'Check availability',
    description:
      'Estimates the earliest window of each delivery type from opening hours, holidays and cut-offs only. Carriers are not asked, except with `hold=true`: a type has a `quote_id` only if one of its services can deliver in that window now.',
    query: QuoteQuery,
    body: QuoteRequestBody,
    bodyLimit: GOODS_BODY,
    example: QUOTE_EXAMPLE,
    crossFields: 'quote',
    atOnce: WAITING_FOR_CARRIERS,
    answers: {
      200: { description: 'A window for each available delivery type.', schema: AvailabilityAnswer },
    },
    refusals: [],
    handle({ deps, entry, caller, body, query }) {
      const request = toQuoteRequest(body)
      const { availability, job } = checkDeliveryAvailability(entry, caller, request)
      const answer = (held?: HeldByType) => {
        const windows = fromAvailability(availability, job.store.zone, held)
        if (!query.explain) return json(200, windows)
        return json(200, { ...windows, explanation: fromAvailabilityDecision(availability, job.store.zone) })
      }
      if (!query.hold) return answer()
      const holding = toHolding(deps, entry, request, job)
      const quoted = quoteDelivery(deps, entry, caller, request)
      const hold = ({ decision, job }: Quoted) => answer(holdWindows(holding, job, availability, decision))
      return quoted instanceof Promise ? quoted.then(hold) : hold(quoted)
    },
  }),
]
