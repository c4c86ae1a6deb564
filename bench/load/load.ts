import { type Child, startChild } from '../environment/child.ts'
import { processFigures } from '../environment/process-figures.ts'

/** Placeholder for a number of ten digits, another in each request. */
export const NUMBER = '#NUMBER###'

/** Placeholder for an IPv4 address, another in each request: the client that a proxy forwards. */
export const ADDRESS = '#ADDRESS#'

/** A number of connections, each with one request in flight at a time, for a duration or a number of requests. */
export type Load = {
  host: string
  port: number
  connections: number
  /** The bytes of each request, with the placeholders `NUMBER` or `ADDRESS`. */
  request: string
  /** The expected status; any 2xx by default. */
  status?: number
  /** The first number, and the count after which the numbers start again. */
  numbers?: { from: number; count: number }
  /** Only requests that complete after the warm-up are measured. */
  warmUpMs?: number
  until: { durationMs: number } | { requests: number }
}

export type LoadResult = {
  /** Measured requests, and all including the warm-up. */
  requests: number
  allRequests: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

export type Measured = LoadResult & {
  perSecond: number
  /** CPU time of the server's process for each request; null if the system does not report it. */
  cpuMicros: number | null
}

/** Placeholder for the number of an earlier request of the same load, whose resource exists by now. */
export const EARLIER = '#EARLIER##'

/** Open load: requests are sent at their own rate, whatever the response times, and lateness counts. */
export type Offer = {
  host: string
  port: number
  perSecond: number
  /** Sent in turn; `NUMBER` is the number of the turn. */
  requests: readonly string[]
  /** The maximum in flight; a request that finds no free connection waits, and the wait counts. */
  connections: number
  /** Requests due in this many first milliseconds are sent and not measured. */
  warmUpMs?: number
  durationMs: number
}

export type OfferResult = {
  /** The number of requests due in the measured time; the figures below are theirs. */
  offered: number
  /** The number of responses by status; 0 for none. */
  byStatus: Readonly<Record<number, number>>
  /** The requests with a 2xx: all together, and in `acceptedOf` by request of the mix. */
  accepted: Timed
  acceptedOf: readonly Timed[]
  refused: Timed
  /** The generator's own lateness at p99: not a fault of the measured service. */
  generatorLateMs: number
}

/**
 * From a request's due time to its response; null without one. A second is counted over the whole time, to the last
 * response.
 */
export type Timed = { count: number; perSecond: number; p50Ms: number | null; p99Ms: number | null }

export type Generator = {
  run(load: Load, serverPid: number): Promise<Measured>
  offer(offer: Offer): Promise<OfferResult>
  stop(): Promise<void>
}

/** Starts the load generator in a separate process. */
export function startGenerator(): Generator {
  const child: Child = startChild(new URL('./generator-process.ts', import.meta.url))
  return {
    async run(load, serverPid) {
      const before = processFigures(serverPid)
      const result = await child.ask<LoadResult>(load)
      const after = processFigures(serverPid)
      return {
        ...result,
        perSecond: result.requests / result.seconds,
        cpuMicros: before && after && ((after.cpuMs - before.cpuMs) * 1_000) / result.allRequests,
      }
    },
    offer: (offer) => child.ask<OfferResult>(offer),
    stop: () => child.stop(),
  }
}

/** The bytes of a request as a client would send it. The body, if any, is ASCII. */
export function requestText(
  line: string,
  {
    host,
    token,
    headers = {},
    body,
  }: { host: string; token?: string; headers?: Record<string, string>; body?: object | string },
): string {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const head = {
    host,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json', 'content-length': String(text.length) }),
    ...headers,
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, '', text].join('\r\n')
}
