import type { CarrierRequest, CarrierResponse, Send } from '../port/send.ts'

/** One call as metrics see it: no path, because paths hold consignment numbers. */
export type CarrierCall = { method: CarrierRequest['method']; result: string; durationMs: number }

/** Tells `report` of every call: `not_sent`, `no_answer` or the status, and how long it took. */
export function withMetrics(send: Send, report: (call: CarrierCall) => void): Send {
  return async (request) => {
    const startedMs = performance.now()
    const response = await send(request)
    report({ method: request.method, result: resultOf(response), durationMs: performance.now() - startedMs })
    return response
  }
}

function resultOf(response: CarrierResponse): string {
  return response.kind === 'answered' ? `${response.status}` : response.kind
}
