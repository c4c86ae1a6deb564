import { lookup as systemLookup } from 'node:dns'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Agent } from 'undici'
import { findExcess } from '../../domain/text/json-bounds.ts'
import { parseJsonInSteps } from '../../domain/text/parse-json-in-steps.ts'
import { neverConnected } from '../../outbound/never-connected.ts'
import { NotPublic, publicConnector } from '../../outbound/public-connector.ts'
import { isLoopback, isPublicHost } from '../../outbound/public-host.ts'
import { type CarrierRequest, type CarrierResponse, isThirdParty, type Send } from '../port/send.ts'

export type Outbound = {
  /** A `Send` to base URLs by name (see CarrierRequest.at). Times out after `timeoutMs`. */
  to(urls: Readonly<Record<string, string>>, timeoutMs: number): Send
  /** Loads the client now instead of at the first request: 25 to 45 ms in which the process handles no requests. */
  load(): Promise<void>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
/** 250 labels are about 10 MB of PDF. */
const MAX_FILE_BYTES = 32 * 1024 * 1024
/** An order of 2,000 items is about 2 MB of JSON with 60,000 values. Parsing 32 MB took 4 s and a gigabyte. */
const MAX_JSON_BYTES = 4 * 1024 * 1024
const MAX_JSON = { values: 250_000 }

/**
 * HTTP client for carriers: TLS to the public internet only, no redirects, no proxies, responses up to 4 MB (files: 32 MB).
 * `allowLoopback`: also plain HTTP to this machine, for carrier fakes.
 */
export function outbound({ allowLoopback }: { allowLoopback: boolean }): Outbound {
  let agents: Promise<Agents> | null = null
  return {
    to: (urls, timeoutMs) => async (request) => {
      const url = urlOf(urls, request)
      if (!url) return { kind: 'not_sent', message: 'its address is not a valid URL' }
      const local = allowLoopback && isLoopback(url)
      if (!local && (url.protocol !== 'https:' || !isPublicHost(url.hostname))) return NOT_PUBLIC
      agents ??= openAgents()
      return ask(url, request, (await agents)[local ? 'inside' : 'outside'], timeoutMs)
    },
    async load() {
      agents ??= openAgents()
      await agents
    },
    async close() {
      const { outside, inside } = (await agents) ?? {}
      await Promise.all([outside?.destroy(), inside?.destroy()])
    },
  }
}

type Agents = Record<'outside' | 'inside', Agent>

/** Lazy, unless `load` is called: undici takes 6 MB, and sandbox accounts never need it. */
async function openAgents(): Promise<Agents> {
  const { Agent, buildConnector } = await import('undici')
  const connect = publicConnector(buildConnector, systemLookup, CONNECT_MS)
  return {
    outside: new Agent({ connect, pipelining: 1 }),
    inside: new Agent({ connect: { timeout: CONNECT_MS }, pipelining: 1 }),
  }
}

const NOT_PUBLIC = {
  kind: 'not_sent',
  message: 'its address is not on the public internet by https',
} as const

function urlOf(urls: Readonly<Record<string, string>>, request: CarrierRequest): URL | null {
  const { path, at = 'api' } = request
  const whole = isThirdParty(request) ? path : `${urls[at] ?? ''}${path}`
  return URL.canParse(whole) ? new URL(whole) : null
}

async function ask(
  url: URL,
  { method, headers, body, accept }: CarrierRequest,
  dispatcher: Agent,
  timeoutMs: number,
): Promise<CarrierResponse> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: headersOf(headers, body),
      body: bytesOf(body),
      signal,
    })
    const isFile = accept === 'bytes' && answer.statusCode < 300
    const maxBytes = isFile ? MAX_FILE_BYTES : MAX_JSON_BYTES
    const bytes = await readAll(answer.body, maxBytes)
    if (!bytes) return { kind: 'no_answer', message: `its answer was over ${maxBytes} bytes` }
    const isLong = !isFile && bytes.length > MAX_PARSED_AT_ONCE
    if (isLong) await nextTurn()
    if (!isFile && findExcess(bytes, MAX_JSON) !== null)
      return { kind: 'no_answer', message: 'its answer had too many values, or was nested too deeply' }
    if (isLong) await nextTurn()
    return { kind: 'answered', status: answer.statusCode, body: isFile ? bytes : await readBody(bytes) }
  } catch (error) {
    if (error instanceof NotPublic) return NOT_PUBLIC
    if (signal.aborted) return { kind: 'no_answer', message: `no answer within ${timeoutMs / 1_000} s` }
    const code = codeOf(error)
    const message = code === null ? 'the connection broke' : `the connection broke (${code})`
    return neverConnected(error)
      ? { kind: 'not_sent', message: `could not be reached (${code})` }
      : { kind: 'no_answer', message }
  }
}

function headersOf(headers: CarrierRequest['headers'], body: unknown): Record<string, string> {
  if (body === undefined) return { ...headers }
  const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json'
  return { 'content-type': type, ...headers }
}

function bytesOf(body: unknown): string | null {
  if (body === undefined) return null
  return body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)
}

/** Null: the body exceeds `maxBytes`. */
async function readAll(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Other requests have their turn after each part of a long answer: 4 MB at once took 30 ms. */
const MAX_PARSED_AT_ONCE = 256 * 1024

/** JSON if it parses; gateways answer with HTML pages or an empty body. */
async function readBody(bytes: Buffer): Promise<unknown> {
  const text = bytes.toString('utf8')
  try {
    if (bytes.length <= MAX_PARSED_AT_ONCE) return JSON.parse(text)
    for (const steps = parseJsonInSteps(text); ; ) {
      await nextTurn()
      const { done, value } = steps.next()
      if (done) return value
    }
  } catch {
    return text
  }
}

function codeOf(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : null
}
