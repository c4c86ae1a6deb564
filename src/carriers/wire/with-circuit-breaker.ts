import { changeState, type Transitions } from '../../domain/state-machine.ts'
import { type CarrierResponse, isThirdParty, type Send } from '../port/send.ts'

/**
 * Circuit breaker, its states:
 *
 * - `closed`: every request is sent. Left for `open` after `failures` failed requests in a row.
 * - `open`: no request is sent for `openMs` after the last failure. The first request after that is the probe, and
 *   moves the breaker to `half_open`. A success of a request that was sent earlier closes it.
 * - `half_open`: the probe is under way, and no other request is sent. The probe's failure opens the breaker again;
 *   any success closes it.
 */
export type CircuitState = 'closed' | 'open' | 'half_open'

export const CIRCUIT_TRANSITIONS: Transitions<CircuitState> = {
  closed: ['open'],
  open: ['half_open', 'closed'],
  half_open: ['open', 'closed'],
}

export type CircuitBreakerOptions = {
  failures: number
  openMs: number
  /** A wall clock that is set back would keep the breaker open. */
  monotonicMs(): number
  /** Called at each transition. */
  onTransition?: (to: CircuitState, from: CircuitState) => void
}

/**
 * Circuit breaker: sends no request to a carrier that fails; see `CircuitState`. A refusal (4xx) counts as a success,
 * since the carrier works. Requests for pictures and labels on other servers neither count nor wait.
 */
export function withCircuitBreaker(
  send: Send,
  { failures, openMs, monotonicMs, onTransition = () => {} }: CircuitBreakerOptions,
): Send {
  let state: CircuitState = 'closed'
  let failuresInARow = 0
  let openUntilMs = 0

  // A function, since the state may change during an `await`.
  const isIn = (one: CircuitState): boolean => state === one
  const enter = (to: CircuitState): void => {
    const from = state
    state = changeState(CIRCUIT_TRANSITIONS, from, to)
    onTransition(to, from)
  }

  return async (request) => {
    if (isThirdParty(request)) return send(request)
    if (state === 'half_open' || (state === 'open' && monotonicMs() < openUntilMs)) {
      return { kind: 'not_sent', message: `not sent: the last ${failuresInARow} requests failed` }
    }
    const isProbe = state === 'open'
    if (isProbe) enter('half_open')

    let response: CarrierResponse
    try {
      response = await send(request)
    } catch (error) {
      // A bug of ours says nothing about the carrier: the next request is a probe again.
      if (isProbe && isIn('half_open')) enter('open')
      throw error
    }
    // Concurrent requests may have ended meanwhile, so the state may be any.
    if (failed(response)) {
      failuresInARow += 1
      openUntilMs = monotonicMs() + openMs
      const opens = isIn('closed') ? failuresInARow >= failures : isProbe && isIn('half_open')
      if (opens) enter('open')
    } else {
      failuresInARow = 0
      if (!isIn('closed')) enter('closed')
    }
    return response
  }
}

function failed(response: CarrierResponse): boolean {
  return response.kind !== 'answered' || response.status >= 500
}
