import { type CarrierResponse, isElsewhere, type Send } from '../port/send.ts'

/**
 * Circuit breaker: after `failures` failed requests in a row, no request is sent for `openMs`; then one probe
 * is sent, and its result decides for all. A refusal (4xx) counts as a success, since the carrier works.
 * `told` is called at each change. Requests for pictures and labels on other servers neither count nor wait.
 */
export function withCircuitBreaker(
  send: Send,
  {
    failures,
    openMs,
    wallMs,
    told = () => {},
  }: { failures: number; openMs: number; wallMs(): number; told?: (open: boolean) => void },
): Send {
  let inARow = 0
  let openUntilMs = 0
  let probing = false

  return async (request) => {
    if (isElsewhere(request)) return send(request)
    const open = inARow >= failures
    if (open && (probing || wallMs() < openUntilMs)) {
      return { kind: 'not_sent', message: `not asked: its last ${inARow} requests failed` }
    }

    probing = open
    const response = await send(request).finally(() => {
      if (open) probing = false
    })
    // Concurrent requests may have ended meanwhile.
    const wasOpen = inARow >= failures
    if (!failed(response)) inARow = 0
    else {
      inARow += 1
      openUntilMs = wallMs() + openMs
    }
    if (wasOpen !== inARow >= failures) told(!wasOpen)
    return response
  }
}

function failed(response: CarrierResponse): boolean {
  return response.kind !== 'answered' || response.status >= 500
}
