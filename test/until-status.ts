import type { Api } from './api.ts'
import { until } from './wait-until.ts'

/** Waits until a delivery has this status, and returns it. */
// biome-ignore lint/suspicious/noExplicitAny: a delivery from a response.
export function untilStatus({ call }: Pick<Api, 'call'>, id: string, status: string): Promise<any> {
  return until(async () => {
    const { data } = (await call(`GET /demo/deliveries/${id}`)).json
    return data.status === status && data
  }, `${id} is ${status}`)
}
