import { type CarrierResponse, isElsewhere, type Send } from '../port/send.ts'

/**
 * After `failures` failed requests in a row nothing is sent for `openMs`; then one request may try, and its
 * fate decides for all. A refusal (4xx) is an answer like any other: the carrier works. `told` hears of each change.
 * Pictures and labels that lie elsewhere say nothing of the carrier, nor wait for it.
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
      return { kind: 'not_sent', said: `not asked: its last ${inARow} requests failed` }
    }

    probing = open
    const response = await send(request).finally(() => {
      if (open) probing = false
    })
    // Others may have ended meanwhile.
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
