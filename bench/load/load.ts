import { type Child, startChild } from '../environment/child.ts'
import { processFigures } from '../environment/process-figures.ts'

/** Stands for a number of ten digits, another in each request. */
export const NUMBER = '#NUMBER###'

/** Stands for an IPv4 address, another in each request: whom a proxy saw. */
export const ADDRESS = '#ADDRESS#'

/** As many connections as said, each with one request under way at a time, for so long or so many requests. */
export type Load = {
  host: string
  port: number
  connections: number
  /** The bytes of each request, `NUMBER` or `ADDRESS` in it to be filled in. */
  request: string
  /** What each is answered with; anything of 2xx unless said. */
  status?: number
  /** Numbers count on from here, and begin again after so many. */
  numbers?: { from: number; count: number }
  /** Only requests answered after the warm-up are measured. */
  warmUpMs?: number
  until: { durationMs: number } | { requests: number }
}

export type LoadResult = {
  /** Measured requests, and all with those of the warm-up. */
  requests: number
  allRequests: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

export type Measured = LoadResult & {
  perSecond: number
  /** CPU time of the server's process for each request; null where the system does not say. */
  cpuMicros: number | null
}

/** Stands for the number of an earlier request of the same offer: what it made is there by now. */
export const EARLIER = '#EARLIER##'

/** Requests that come at their own pace, whatever is answered, as the world's do: what is late counts as late. */
export type Offer = {
  host: string
  port: number
  perSecond: number
  /** Sent in turn; `NUMBER` is the number of the turn. */
  requests: readonly string[]
  /** At most so many at once; who finds none free waits, and the wait counts. */
  connections: number
  /** What is due in the first so many is sent and not measured. */
  warmUpMs?: number
  durationMs: number
}

export type OfferResult = {
  /** How many were due in the measured time; all that follows is of those. */
  offered: number
  /** How many answers of each status; 0 where none came. */
  byStatus: Readonly<Record<number, number>>
  /** Those with 2xx, and of them those of each of the requests. */
  accepted: Timed
  acceptedOf: readonly Timed[]
  refused: Timed
  /** How late the generator itself was in looking for what is due, at p99: no fault of whom it measures. */
  generatorLateMs: number
}

/** From when a request was due to its answer; null where there was none. A second is one of the whole time, to the last answer. */
export type Timed = { count: number; perSecond: number; p50Ms: number | null; p99Ms: number | null }

export type Generator = {
  run(load: Load, serverPid: number): Promise<Measured>
  offer(offer: Offer): Promise<OfferResult>
  stop(): Promise<void>
}

/** Starts the load generator, a process of its own. */
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

/** The bytes of a request as a program would send it. The body, if any, is ASCII. */
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
