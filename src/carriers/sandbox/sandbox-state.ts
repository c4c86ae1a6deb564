import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CarrierRequest, CarrierResponse, Send } from '../port/send.ts'
import type { SandboxStore } from './engine/sandbox-store.ts'
import type { SandboxServer } from './engine/server.ts'
import { BIG_HAUL } from './servers/big-haul-server.ts'
import { SOUTHERN_PARCELS } from './servers/southern-parcels-server.ts'
import { SWIFTLY } from './servers/swiftly-server.ts'

export type SandboxState = {
  /** The carrier's response. Throws only if its own store fails. */
  handle(accountId: string, carrier: string, request: CarrierRequest): Promise<CarrierResponse>
}

export type SandboxStateDeps = {
  store: SandboxStore
  /** Account time. */
  nowMs(accountId: string): number
  secretKey: string
  /** For slow carriers; wall time. */
  wait?: (ms: number) => Promise<void>
}

const SERVERS: Readonly<Record<string, SandboxServer>> = {
  swiftly: SWIFTLY,
  southern_parcels: SOUTHERN_PARCELS,
  big_haul: BIG_HAUL,
}

/**
 * The simulated carriers, isolated from the adapters that call them: only requests go in and only responses
 * come out. All their state is in the store, so any number of processes may run them at once.
 */
export function sandboxState({ store, nowMs, secretKey, wait = unheldWait }: SandboxStateDeps): SandboxState {
  return {
    async handle(accountId, carrier, request) {
      const server = SERVERS[carrier]
      if (!server) return { kind: 'not_sent', message: `no sandbox carrier is called ${carrier}` }
      const headers = lowerCased(request.headers)
      if (server.apiKeyOf(headers) !== sandboxCredentials(secretKey, accountId, carrier).api_key) {
        return server.refuse(401, 'unauthorised', 'The API key is not one of ours.')
      }

      const url = new URL(request.path, 'http://sandbox.invalid')
      for (const route of server.routes) {
        const match = route.method === request.method ? route.path.exec(url.pathname) : null
        if (!match) continue
        return route.answer({
          accountId,
          carrier,
          nowMs: () => nowMs(accountId),
          wait,
          store,
          path: decoded(match.groups ?? {}),
          query: url.searchParams,
          headers,
          body: overTheWire(request.body),
        })
      }
      return server.refuse(
        404,
        'no_such_resource',
        `${request.method} ${url.pathname} is not part of this API.`,
      )
    },
  }
}

/**
 * Sends requests to a sandbox carrier in this process. If the carrier's store fails, the outcome of a booking
 * is unknown: the commit may have succeeded despite its error.
 */
export function sandboxSend(state: SandboxState, accountId: string, carrier: string): Send {
  return async (request) => {
    try {
      return await state.handle(accountId, carrier, request)
    } catch (error) {
      return {
        kind: 'no_answer',
        message: `connection reset (${error instanceof Error ? error.message : error})`,
      }
    }
  }
}

// Unreferenced timer: a carrier that never answers must not keep a stopping process alive.
function unheldWait(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false })
}

function overTheWire(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body))
}

function lowerCased(headers: CarrierRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function decoded(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, unescaped(value)]))
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * An account's credentials at a sandbox carrier, and the secret of that carrier's webhooks. Both sides derive
 * them, so that a sandbox account needs no stored secrets and its webhooks still can't be forged.
 */
export function sandboxCredentials(secretKey: string, accountId: string, carrier: string) {
  const derive = (what: string) =>
    createHmac('sha256', secretKey).update(`sandbox:${what}:${carrier}:${accountId}`).digest('hex')
  return { api_key: derive('api_key'), webhook_secret: derive('webhook_secret') }
}
