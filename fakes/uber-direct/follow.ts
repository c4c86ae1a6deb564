import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { deliveryJson, isComplete } from './delivery.ts'
import { refuse } from './errors.ts'
import { end } from './journey.ts'
import type { UberState } from './state.ts'

const FILTERS = [
  'pending',
  'pickup',
  'pickup_complete',
  'dropoff',
  'delivered',
  'canceled',
  'returned',
  'ongoing',
]
const PAGE = 10
const MAX_PER_PAGE = 100

/** `GET …/deliveries/{id}`. */
export function getDelivery({ deliveries, server }: UberState, { params }: FakeRequest): FakeAnswer {
  const delivery = deliveries.get(params.deliveryId ?? '')
  if (!delivery) return refuse('delivery_not_found')
  return { status: 200, body: deliveryJson(delivery, server.clock.nowMs()) }
}

/** `GET …/deliveries?filter=&limit=&offset=`, newest first. */
export function listDeliveries(state: UberState, { query, path }: FakeRequest): FakeAnswer {
  const filter = query.get('filter')
  const limit = Number(query.get('limit') ?? PAGE)
  const offset = Number(query.get('offset') ?? 0)
  if (filter !== null && !FILTERS.includes(filter)) return refuse('invalid_params', { filter })
  if (!Number.isInteger(limit) || limit < 1 || !Number.isInteger(offset) || offset < 0) {
    return refuse('invalid_params')
  }
  const fitting = [...state.deliveries.values()]
    .reverse()
    .filter((one) => filter === null || (filter === 'ongoing' ? !isComplete(one) : one.status === filter))
  const next = offset + Math.min(limit, MAX_PER_PAGE)
  const rest = new URLSearchParams({ ...(filter ? { filter } : {}), limit: `${limit}`, offset: `${next}` })
  const nowMs = state.server.clock.nowMs()
  return {
    status: 200,
    body: {
      object: 'list',
      url: path,
      data: fitting.slice(offset, next).map((delivery) => deliveryJson(delivery, nowMs)),
      next_href: next < fitting.length ? `${state.server.url()}${path}?${rest}` : '',
      total_count: -1,
    },
  }
}

/** `POST …/deliveries/{id}/cancel`: until the courier has collected it. */
export function cancelDelivery(state: UberState, { params }: FakeRequest): FakeAnswer {
  const delivery = state.deliveries.get(params.deliveryId ?? '')
  if (!delivery) return refuse('delivery_not_found')
  if (delivery.status !== 'pending' && delivery.status !== 'pickup') return refuse('noncancelable_delivery')

  const nowMs = state.server.clock.nowMs()
  end(state, delivery, 'canceled', nowMs, {
    primary_reason: 'CUSTOMER_CANCEL',
    secondary_reason: 'API',
  })
  return { status: 200, body: deliveryJson(delivery, nowMs) }
}
