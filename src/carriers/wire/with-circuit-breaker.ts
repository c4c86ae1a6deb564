import { type CarrierResponse, isThirdParty, type Send } from '../port/send.ts'

/**
 * Circuit breaker: after `failures` failed requests in a row, no request is sent for `openMs`; then one probe
 * is sent, and its result decides for all. A refusal (4xx) counts as a success, since the carrier works.
 * `onChange` is called at each change. Requests for pictures and labels on other servers neither count nor wait.
 */
export function withCircuitBreaker(
  send: Send,
  {
    failures,
    openMs,
    wallMs,
    onChange = () => {},
  }: { failures: number; openMs: number; wallMs(): number; onChange?: (open: boolean) => void },
): Send {
  let failuresInARow = 0
  let openUntilMs = 0
  let probing = false

  return async (request) => {
    if (isThirdParty(request)) return send(request)
    const open = failuresInARow >= failures
    if (open && (probing || wallMs() < openUntilMs)) {
      return { kind: 'not_sent', message: `not sent: the last ${failuresInARow} requests failed` }
    }

    probing = open
    const response = await send(request).finally(() => {
      if (open) probing = false
    })
    // Concurrent requests may have ended meanwhile.
    const wasOpen = failuresInARow >= failures
    if (!failed(response)) failuresInARow = 0
    else {
      failuresInARow += 1
      openUntilMs = wallMs() + openMs
    }
    if (wasOpen !== failuresInARow >= failures) onChange(!wasOpen)
    return response
  }
}

function failed(response: CarrierResponse): boolean {
  return response.kind !== 'answered' || response.status >= 500
}
