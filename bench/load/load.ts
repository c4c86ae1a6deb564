import { type Child, startChild } from '../world/child.ts'
import { processFigures } from '../world/process-figures.ts'

/** Stands for a number of ten digits, another in each request. */
export const NUMBER = '#NUMBER###'

/** As many connections as said, each with one request under way at a time, for so long or so many requests. */
export type Load = {
  host: string
  port: number
  connections: number
  /** The bytes of each request, `NUMBER` in it to be filled in. */
  request: string
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

export type Generator = { run(load: Load, serverPid: number): Promise<Measured>; stop(): Promise<void> }

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
  }: { host: string; token?: string; headers?: Record<string, string>; body?: object },
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = {
    host,
    ...(token && { authorization: `Bearer ${token}` }),
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': String(text.length) }),
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, '', text].join('\r\n')
}
