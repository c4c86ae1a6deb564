import type { CarrierRequest, CarrierResponse, Send } from '../port/send.ts'

/** One call for the metrics, without its path, because paths hold consignment numbers. */
export type CarrierCall = { method: CarrierRequest['method']; result: string; durationMs: number }

/** Reports every call: `not_sent`, `no_answer` or the status, and its duration. */
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
