import type { CarrierResponse } from '../../src/carriers/port/send.ts'
import type { SandboxState } from '../../src/carriers/sandbox/sandbox-state.ts'
import type { CarrierCall } from './carrier-server.ts'

/** The sandbox carriers at another address. Throws if no response comes: the outcome there is unknown. */
export function remoteFixture(url: string): SandboxState {
  return {
    async handle(accountId, carrier, request) {
      const call: CarrierCall = { accountId, carrier, request }
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(call) })
      return (await response.json()) as CarrierResponse
    },
  }
}
