import http from 'node:http'
import https from 'node:https'

/** `again`: a retry may succeed. `refused`: rejected spans of an accepted body. */
export type PostOutcome =
  | { kind: 'accepted'; refused: number }
  | { kind: 'not_taken'; again: boolean; message: string }

/** Sends one body to a collector; never throws. */
export type OtlpPost = (body: string, signal: AbortSignal) => Promise<PostOutcome>

/** Any address is allowed, since the collector is the operator's own. All exports share one connection. */
export function otlpPost(url: string, headers: Readonly<Record<string, string>>): OtlpPost {
  const { request, Agent } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (body, signal) => {
    const { promise, resolve } = Promise.withResolvers<PostOutcome>()
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'not_taken', again: true, message: error.code ?? error.name })
    const asked = request(
      url,
      {
        method: 'POST',
        agent,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          if (text.length < MAX_READ) text += part
        })
        answer.on('error', fail)
        answer.on('end', () => resolve(outcomeOf(answer.statusCode ?? 0, text)))
      },
    )
    asked.on('error', fail)
    asked.end(body)
    return promise
  }
}

const MAX_READ = 65_536

/** Statuses that the protocol retries (OTLP 1, “Failures”). */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504])

function outcomeOf(status: number, text: string): PostOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted', refused: refusedIn(text) }
  return { kind: 'not_taken', again: LATER.has(status), message: `${status}` }
}

function refusedIn(text: string): number {
  try {
    return Number(JSON.parse(text)?.partialSuccess?.rejectedSpans) || 0
  } catch {
    return 0
  }
}
