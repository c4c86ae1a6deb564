import type { Command } from 'commander'
import { loadClientSettings } from '../../config.ts'
import { DEMO_CLIENTS } from '../../operations/secrets/demo-clients.ts'
import { askSecret } from '../ask-secret.ts'

/** The service that a command calls, and the account it calls as. */
export type ApiOptions = { url: string; account: string; client?: string }

export type Api = {
  // biome-ignore lint/suspicious/noExplicitAny: the responses of a dozen endpoints.
  json(method: string, path: string, body?: unknown): Promise<any>
  bytes(path: string): Promise<Buffer>
}

/** An error response of the service, in the service's own words (RFC 9457). */
export class ProblemAnswer extends Error {
  readonly status: number
  readonly issues: readonly { field: string; message: string }[]

  constructor(status: number, detail: string, issues: readonly { field: string; message: string }[]) {
    super(detail)
    this.status = status
    this.issues = issues
  }
}

/** The service did not respond: it is not running, or the connection was lost. */
export class NoAnswer extends Error {}

const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Adds the options that `signIn` reads, with their defaults. */
export function withApiOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the service', loadClientSettings().url)
    .option('--account <id>', 'the account', 'demo')
    .option(
      '--client <id>',
      "an API client; its secret comes from DROVER_CLIENT_SECRET or a prompt (the demo's needs neither)",
    )
}

/**
 * Gets a token and returns a client that uses it. If the token has expired, the client gets another. Throws
 * ProblemAnswer or NoAnswer.
 */
export async function signIn(options: ApiOptions): Promise<Api> {
  if (!/^https?:\/\//i.test(options.url) || !URL.canParse(options.url))
    throw new Error(`--url must be an address such as http://127.0.0.1:8080.`)
  const base = `${options.url.replace(/\/+$/, '')}/${encodeURIComponent(options.account)}`
  const { id, secret } = await credentials(options)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const getToken = async () => {
    const answer = await send(`${base}/auth/token`, { method: 'POST', body })
    return (parseJson(answer) as { access_token: string }).access_token
  }
  let token = await getToken()
  const authorized = async (path: string, { headers, ...init }: RequestInit & { headers?: object } = {}) => {
    const attempt = () =>
      send(`${base}${path}`, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } })
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ProblemAnswer) || error.status !== 401) throw error
      token = await getToken()
      return attempt()
    }
  }
  return {
    async json(method, path, sent) {
      const json = { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
      return parseJson(await authorized(path, { method, ...(sent !== undefined && json) }))
    },
    bytes: (path) => authorized(path),
  }
}

async function credentials({ url, account, client }: ApiOptions): Promise<{ id: string; secret: string }> {
  const demo = LOCAL.has(new URL(url).hostname)
    ? DEMO_CLIENTS.find(
        ({ accountId, clientId }) => accountId === account && clientId === (client ?? clientId),
      )
    : undefined
  const id = client ?? demo?.clientId
  if (id === undefined) throw new Error(`Add --client with an API client of ${account}.`)
  const { clientSecret } = loadClientSettings()
  return { id, secret: clientSecret || demo?.clientSecret || (await askSecret(`Secret of ${id}: `)) }
}

/** The body of a good answer. A connection that breaks half-way is no answer. */
async function send(url: string, init: RequestInit): Promise<Buffer> {
  const { origin } = new URL(url)
  const response = await fetch(url, init).catch((error: Error) => {
    throw new NoAnswer(`Nothing answers at ${origin}${causeOf(error)}. Start Drover with: drover start`)
  })
  const body = await response.arrayBuffer().catch((error: Error) => {
    throw new NoAnswer(
      `The connection to ${origin} broke${causeOf(error)} before the whole response arrived. Try again.`,
    )
  })
  if (!response.ok) throw problemOf(response.status, Buffer.from(body))
  return Buffer.from(body)
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? ` (${cause.message || cause.name})` : ''
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new NoAnswer(
      'The response is not JSON, so it is not from Drover. Check --url, and any proxy in between.',
    )
  }
}

function problemOf(status: number, body: Buffer): ProblemAnswer {
  try {
    const { detail, title, error_description, errors } = JSON.parse(body.toString())
    return new ProblemAnswer(status, detail ?? error_description ?? title, errors ?? [])
  } catch {
    return new ProblemAnswer(status, `The service answered ${status}.`, [])
  }
}
