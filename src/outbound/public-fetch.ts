import { lookup as systemLookup } from 'node:dns'
import type { Agent, Dispatcher } from 'undici'
import { type Lookup, NotPublic, publicConnector } from './public-connector.ts'
import { isLoopback, isPublicHost } from './public-host.ts'

export type FetchRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | URLSearchParams | null | undefined
}

/** Calls a URL that somebody else chose, and reads its whole answer. Throws `FetchFailure`. */
export type FetchPublic = (url: string, request: FetchRequest) => Promise<Response>

/** `reason` names neither the URL nor what was sent or received. */
export class FetchFailure extends Error {
  readonly reason: 'not_public' | 'too_large' | 'timed_out' | 'unreachable'

  constructor(reason: FetchFailure['reason']) {
    super(`The address could not be read: ${reason}.`)
    this.reason = reason
  }
}

const TIMEOUT_MS = 5_000
/** Discovery documents and key sets have 2 to 20 KB. */
const MAX_BYTES = 256 * 1024

/**
 * `fetch` with SSRF protection, for libraries that take one: TLS to the public internet only, no redirects, no proxies,
 * answers of at most 256 KiB within 5 seconds in all. `allowLoopback`: also plain HTTP to this machine, for tests.
 */
export function publicFetch({
  allowLoopback,
  lookup = systemLookup,
  timeoutMs = TIMEOUT_MS,
}: {
  allowLoopback: boolean
  lookup?: Lookup
  timeoutMs?: number
}): { call: FetchPublic; close(): Promise<void> } {
  let agents: Promise<Agents> | null = null
  return {
    async call(address, { method, headers, body }) {
      const url = new URL(address)
      const local = allowLoopback && isLoopback(url)
      if (!local && (url.protocol !== 'https:' || !isPublicHost(url.hostname)))
        throw new FetchFailure('not_public')
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        agents ??= openAgents(lookup, timeoutMs)
        const agent = (await agents)[local ? 'inside' : 'outside']
        const answer = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: method as Dispatcher.HttpMethod,
          headers: { ...headers },
          body: body?.toString() ?? null,
          signal,
        })
        return toResponse(answer, await readAll(answer.body))
      } catch (error) {
        if (error instanceof FetchFailure) throw error
        if (error instanceof NotPublic) throw new FetchFailure('not_public')
        throw new FetchFailure(signal.aborted ? 'timed_out' : 'unreachable')
      }
    },
    async close() {
      const { outside, inside } = (await agents) ?? {}
      await Promise.all([outside?.destroy(), inside?.destroy()])
    },
  }
}

type Agents = Record<'outside' | 'inside', Agent>

/** Lazy, at the first request: undici takes 6 MB, and most accounts have no provider. */
async function openAgents(lookup: Lookup, timeoutMs: number): Promise<Agents> {
  const { Agent, buildConnector } = await import('undici')
  return {
    outside: new Agent({ connect: publicConnector(buildConnector, lookup, timeoutMs), pipelining: 1 }),
    inside: new Agent({ connect: { timeout: timeoutMs }, pipelining: 1 }),
  }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new FetchFailure('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Statuses whose `Response` may not have a body. */
const WITHOUT_BODY = new Set([204, 205, 304])

function toResponse(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  bytes: Buffer<ArrayBuffer>,
): Response {
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  )
  return new Response(WITHOUT_BODY.has(statusCode) ? null : bytes, { status: statusCode, headers: pairs })
}
