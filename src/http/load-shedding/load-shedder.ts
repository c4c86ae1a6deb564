import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeState, type Transitions } from '../../domain/state-machine.ts'
import type { StoredAnswer } from '../../store/deliveries/idempotency.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { atEndOfTurn, getRequestId, writeAnswer } from '../contract/send.ts'
import type { AccessLog } from '../observing/access-log.ts'

/** An overloaded endpoint; `refusal` returns its rejection for the id of a request. */
export type OverloadedEndpoint = {
  endpoint: Endpoint
  isFull(): boolean
  refusal(requestId: string): StoredAnswer
}

/**
 * - `passing`: every request goes to the framework, and its address is not looked up. Left when the framework marks
 *   an overloaded endpoint.
 * - `shedding`: requests to the marked addresses are rejected. A request to a marked address whose endpoint has room
 *   again removes the mark. The last mark removed returns to `passing`.
 */
export type LoadShedderState = 'passing' | 'shedding'

export const LOAD_SHEDDER_TRANSITIONS: Transitions<LoadShedderState> = {
  passing: ['shedding'],
  shedding: ['passing'],
}

/** Sits in front of the framework: see `loadShedder`. */
export type LoadShedder = {
  markOverloaded(request: FastifyRequest, full: OverloadedEndpoint): void
  state(): LoadShedderState
}

/** At this many addresses the list is cleared; the framework then marks each overloaded endpoint again. */
const MAX_ADDRESSES = 1_000

/**
 * Load shedding: rejects requests to an address that was overloaded a moment ago, while it still is, before the
 * framework sees them. Routing, hooks and a reply are half of what a rejection costs, and rejections come in thousands.
 * The framework rejects the first request and thereby maps the address to its endpoint. A request with a `traceparent`
 * always goes to the framework.
 */
export function loadShedder(app: FastifyInstance, deps: HttpDeps, { countShed }: AccessLog): LoadShedder {
  // Each request gets its span from the framework.
  if (deps.tracer) return { markOverloaded() {}, state: () => 'passing' }
  const fullAt = new Map<string, OverloadedEndpoint>()
  let state: LoadShedderState = 'passing'
  const change = (to: LoadShedderState): void => {
    state = changeState(LOAD_SHEDDER_TRANSITIONS, state, to)
  }
  const toApp = app.server.listeners('request')[0] as RequestListener

  const sheds = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (state === 'passing') return false
    const address = toAddress(request)
    const full = fullAt.get(address)
    if (!full || app.stopping || request.headers.traceparent !== undefined) return false
    if (!full.isFull()) {
      fullAt.delete(address)
      if (fullAt.size === 0) change('passing')
      return false
    }
    const cameMs = performance.now()
    atEndOfTurn(response, () => {
      const requestId = getRequestId(request)
      writeAnswer(response, full.refusal(requestId), ['x-request-id', requestId], full.endpoint.headers)
      countShed(request.method as string, full.endpoint, performance.now() - cameMs)
    })
    return true
  }
  app.server.off('request', toApp)
  app.server.on('request', (request, response) => {
    if (!sheds(request, response)) toApp(request, response)
  })
  return {
    markOverloaded({ raw }, full) {
      if (fullAt.size >= MAX_ADDRESSES) fullAt.clear()
      fullAt.set(toAddress(raw), full)
      if (state === 'passing') change('shedding')
    },
    state: () => state,
  }
}

function toAddress({ method, url }: IncomingMessage): string {
  return `${method} ${url}`
}
