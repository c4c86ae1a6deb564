import { type Connection, call, VERSION } from '../../typescript/src/call.ts'
import { DroverError } from '../../typescript/src/errors.ts'

type Message = { id?: unknown; method: string; params?: Readonly<Record<string, unknown>> }

/** Returns the line to write for a line that was read; null if there is nothing to write. */
export type Relay = (line: string) => Promise<string | null>

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603

const UNAUTHORIZED = 401
/** SEP-2243: the header `Mcp-Name` repeats this field of the message's `params`. */
const NAME_FIELDS = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])
const VERSION_CLAIM = 'io.modelcontextprotocol/protocolVersion'

/**
 * Sends each JSON-RPC message to `path` of Drover (Streamable HTTP). A message is safe to repeat: a tool reads, plans,
 * or commits a confirmation, and a second commit with the same confirmation changes nothing.
 */
export function makeRelay(connection: Connection, path: string, log: (text: string) => void): Relay {
  const inFlight = new Map<unknown, AbortController>()
  /** Of a client that opened with `initialize`; messages of later versions name their own. */
  let negotiated: string | null = null

  async function answer(message: Message, line: string): Promise<string | null> {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') {
      inFlight.get(params?.requestId)?.abort()
      return null
    }
    const controller = new AbortController()
    if (id !== undefined) inFlight.set(id, controller)
    const headers = toHeaders(message, negotiated)
    try {
      const { signal } = controller
      const request = { method: 'POST', path, body: line, options: { signal } }
      const text = new TextDecoder().decode((await call(withHeaders(connection, headers), request)).body)
      if (id === undefined || text === '') return null
      const parsed = toAnswer(text)
      if (method === 'initialize') negotiated = parsed.result?.protocolVersion ?? negotiated
      return JSON.stringify(parsed)
    } catch (error) {
      // The assistant no longer waits for this answer.
      if (controller.signal.aborted) return null
      const sentence = toSentence(error, connection.baseUrl)
      log(`${method}: ${sentence}`)
      const isWrong = error instanceof DroverError && error.code === 'invalid_request'
      return id === undefined ? null : toError(id, isWrong ? INVALID_REQUEST : INTERNAL_ERROR, sentence)
    } finally {
      if (inFlight.get(id) === controller) inFlight.delete(id)
    }
  }

  return async (line) => {
    if (line.trim() === '') return null
    const value = parse(line)
    if (value === undefined) return toError(undefined, PARSE_ERROR, 'The line is not JSON.')
    const { id, method } = (value ?? {}) as { id?: unknown; method?: unknown }
    if (typeof method === 'string') return answer(value as Message, line)
    // Drover sends no requests, so nothing waits for a response.
    const isResponse = typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
    if (isResponse) return null
    return toError(id, INVALID_REQUEST, 'The line is not a request of JSON-RPC 2.0: it has no method.')
  }
}

/** The headers of Streamable HTTP, which stdio does not have. */
function toHeaders({ method, params }: Message, negotiated: string | null): Record<string, string> {
  const claimed = (params?._meta as Record<string, unknown> | undefined)?.[VERSION_CLAIM]
  if (typeof claimed !== 'string') {
    return negotiated === null || method === 'initialize' ? {} : { 'mcp-protocol-version': negotiated }
  }
  const name = params?.[NAME_FIELDS.get(method) ?? '']
  return {
    'mcp-protocol-version': toHeaderValue(claimed),
    'mcp-method': toHeaderValue(method),
    ...(typeof name === 'string' && { 'mcp-name': toHeaderValue(name) }),
  }
}

/** SEP-2243: what a header cannot hold is sent in base64. */
function toHeaderValue(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Sends these headers too, and lets a JSON-RPC error that came with a 4xx through: it is the assistant's answer. */
function withHeaders(connection: Connection, headers: Record<string, string>): Connection {
  const send: typeof fetch = async (url, init) => {
    const own = { ...(init?.headers as Record<string, string>), 'user-agent': `drover-mcp/${VERSION}` }
    const response = await connection.fetch(url, { ...init, headers: { ...own, ...headers } })
    if (response.ok) return response
    const text = await response.text()
    const isAnswer = (parse(text) as { jsonrpc?: unknown } | null | undefined)?.jsonrpc === '2.0'
    return new Response(text, { status: isAnswer ? 200 : response.status, headers: response.headers })
  }
  return { ...connection, fetch: send }
}

function toAnswer(text: string): { result?: { protocolVersion?: string } } {
  const value = parse(text)
  if (value !== null && typeof value === 'object') return value
  throw new DroverError('unexpected_answer', 'The server’s response is not JSON. Check DROVER_URL.')
}

function toSentence(error: unknown, baseUrl: string): string {
  if (!(error instanceof DroverError)) return `@drover/mcp failed: ${(error as Error).message}`
  if (error.code === 'connection_failed') {
    return `Drover does not answer at ${baseUrl}. Check DROVER_URL, and that Drover is running.`
  }
  if (error.status === UNAUTHORIZED) {
    return 'Drover refused the API client. Check DROVER_CLIENT_ID and DROVER_CLIENT_SECRET, or request a new DROVER_TOKEN.'
  }
  return error.message
}

function toError(id: unknown, code: number, message: string): string {
  const isId = typeof id === 'string' || typeof id === 'number'
  return JSON.stringify({ jsonrpc: '2.0', ...(isId && { id }), error: { code, message } })
}

/** Undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
