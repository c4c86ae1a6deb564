import { lookup as systemLookup } from 'node:dns'
import type { Agent } from 'undici'
import { type Lookup, NotPublic, publicConnector } from '../outbound/public-connector.ts'
import { isPublicHost } from '../outbound/public-host.ts'

/** `answered`: with any status. `failed`: no answer, or the address is not allowed. */
export type WebhookAnswer =
  | { kind: 'answered'; status: number; retryAfter: string | null; excerpt: string }
  | { kind: 'failed'; message: string }

/** Posts one body; never throws. `cause`: the traceparent of the request that caused the event. */
export type PostWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  cause?: string | null,
) => Promise<WebhookAnswer>

export type WebhookPostOptions = {
  allowPrivate: boolean
  timeoutMs?: number
  /** DNS lookup; the system's by default. */
  lookup?: Lookup
}

const TIMEOUT_MS = 15_000
const CONNECT_MS = 10_000
/** The rest of a response is not read; of this we store only the first EXCERPT characters, for people. */
const MAX_BYTES = 65_536
const EXCERPT = 200

/**
 * HTTP client for URLs that customers chose (SSRF protection). Every connection goes to a public address:
 * literal addresses are checked before, names by the addresses resolved for this connection, and the
 * connected socket once more. No redirects, no proxies.
 */
export function webhookPost(options: WebhookPostOptions): { post: PostWebhook; close(): Promise<void> } {
  const { allowPrivate, timeoutMs = TIMEOUT_MS } = options
  let agent: Promise<Agent> | null = null
  const post: PostWebhook = async (url, headers, body) => {
    if (!allowPrivate && !isPublicHost(new URL(url).hostname)) return NOT_PUBLIC
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      agent ??= openAgent(options, timeoutMs)
      const { origin, pathname, search } = new URL(url)
      const asked = { origin, path: `${pathname}${search}`, method: 'POST', headers, body, signal } as const
      const answer = await (await agent).request(asked)
      const retryAfter = answer.headers['retry-after']
      return {
        kind: 'answered',
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        excerpt: await excerptOf(answer.body),
      }
    } catch (error) {
      if (signal.aborted) return { kind: 'failed', message: `No answer within ${timeoutMs / 1_000} s.` }
      return error instanceof NotPublic ? NOT_PUBLIC : { kind: 'failed', message: wordOf(error) }
    }
  }
  return { post, close: async () => (await agent)?.destroy() }
}

/** Lazy, at the first post: undici takes 6 MB, and accounts without webhooks never need it. */
async function openAgent(
  { allowPrivate, lookup = systemLookup }: WebhookPostOptions,
  timeoutMs: number,
): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  return new Agent({
    connect: allowPrivate ? { timeout: CONNECT_MS } : publicConnector(buildConnector, lookup, CONNECT_MS),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    pipelining: 1,
  })
}

const NOT_PUBLIC = { kind: 'failed', message: 'Its address is not on the public internet.' } as const

/** The start of the response as one line of text. The connection is closed if a part is left unread. */
async function excerptOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_BYTES) break
    }
  } catch {
    // The status has arrived; a failure to read the rest of the response doesn't matter.
  }
  const text = Buffer.concat(chunks)
    .subarray(0, EXCERPT * 4)
    .toString('utf8')
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT)
}

/** The error code, without addresses of our network. */
function wordOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return `It could not be reached${typeof code === 'string' ? ` (${code})` : ''}.`
}
