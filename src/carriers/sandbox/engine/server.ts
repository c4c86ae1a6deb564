import type { CarrierRequest, CarrierResponse } from '../../port/send.ts'
import type { SandboxStore } from './sandbox-store.ts'

/** One sandbox carrier's API: its routes, its authentication, and its error format. */
export type SandboxServer = {
  routes: readonly Route[]
  /** The API key of a request, from the header that this carrier uses. Header names are in lower case. */
  apiKeyOf(headers: CarrierRequest['headers']): string | undefined
  refuse(status: number, code: string, message: string): CarrierResponse
}

export type Route = {
  method: CarrierRequest['method']
  path: RegExp
  answer(visit: Visit): Promise<CarrierResponse>
}

/** One request to the carrier. */
export type Visit = {
  accountId: string
  carrier: string
  /** Account time, in epoch milliseconds. */
  nowMs(): number
  wait(ms: number): Promise<void>
  store: SandboxStore
  /** The path's named groups. */
  path: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: CarrierRequest['headers']
  body: unknown
}

export function answered(status: number, body: unknown): CarrierResponse {
  return { kind: 'answered', status, body }
}
