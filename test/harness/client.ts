import { setTimeout as sleep } from 'node:timers/promises'

export type Operation =
  | 'create'
  | 'amend'
  | 'cancel'
  | 'book'
  | 'manifest'
  | 'settle'
  | 'invalid'
  | 'again'
  | 'read'

/** A client's request, and the outcome that it learned. */
export type RecordedRequest<Account extends string = string> = {
  account: Account
  operation: Operation
  /** The reference of the delivery; empty if the request concerns no delivery. */
  reference: string
  key: string | null
  fromMs: number
  toMs: number
  /** How often it was sent. */
  tries: number
  /** `unknown`: no response, or none that tells the outcome. */
  outcome: 'ok' | 'rejected' | 'unknown'
  status: number
  code: string
  /** The delivery's id, if the response had one. */
  id: string
}

// biome-ignore lint/suspicious/noExplicitAny: the client parses any response.
export type Reply = { status: number; body: any; text: string }

export type Client<Account extends string = string> = {
  history: RecordedRequest<Account>[]
  /** Responses that no fault excuses, and markers of one account in responses to the other. */
  wrong: string[]
  /** Sends until the outcome is known, always under the same key, to the two APIs in turn. */
  ask(request: RequestSpec<Account>): Promise<{ recorded: RecordedRequest<Account>; answer: Reply | null }>
  /** Sends once, for readers that poll anyway; null without a 2xx. */
  read(account: Account, path: string): Promise<Reply | null>
  /** From now on a request is given up after a while; before, it is retried without a limit. */
  limitRetries(): void
  /** When a create first returned 201 after `fromMs`; null: not yet. */
  firstCreatedAfter(fromMs: number): number | null
}

export type RequestSpec<Account extends string = string> = {
  account: Account
  operation: Operation
  reference: string
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: unknown
  key?: string
}

export type ClientOptions<Account extends string> = {
  /** Addresses of the APIs, each behind a proxy. */
  apis: readonly string[]
  credentials: Readonly<Record<Account, { client_id: string; client_secret: string }>>
  /** A marker that only this account's responses may hold; null: the account is the only one. */
  canaryOf: ((account: Account) => string) | null
}

const TIMEOUT_MS = 12_000
/** At the end of the run: longer than a dead process locks a key. */
const PATIENCE_MS = 150_000
const PAUSE_MS = 300
/** The 5xx responses that the API documents as "retry later". Any other 5xx is our bug. */
const DECLARED = /^503 /

/** A client as the guides describe it: without a response it sends the same request again under the same key. */
export function makeClient<Account extends string>({
  apis,
  credentials,
  canaryOf,
}: ClientOptions<Account>): Client<Account> {
  const history: RecordedRequest<Account>[] = []
  const wrong: string[] = []
  const createdAtMs: number[] = []
  const tokens = new Map<Account, string>()
  const accounts = Object.keys(credentials) as Account[]
  let turn = 0
  let retriesLimitedMs = Number.POSITIVE_INFINITY

  async function once(request: Omit<RequestSpec<Account>, 'operation' | 'reference'>): Promise<Reply | null> {
    const { account, method, path, body, key } = request
    const api = apis[turn++ % apis.length] as string
    try {
      const token = tokens.get(account) ?? (await signIn(api, account))
      if (token === null) return null
      const response = await fetch(`${api}/${account}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await response.text()
      const json = response.headers.get('content-type')?.includes('json') ?? false
      const answer = { status: response.status, body: json && text !== '' ? JSON.parse(text) : {}, text }
      judge(`${method} ${path}`, account, answer)
      if (answer.status !== 401) return answer
      tokens.delete(account) // A token is valid for an hour.
      return null
    } catch {
      return null
    }
  }

  function judge(line: string, account: Account, { status, body, text }: Reply): void {
    const named = `${status} ${body.code ?? ''}`
    if (status >= 500 && !DECLARED.test(named)) wrong.push(`${line} returned ${named}`)
    if (status === 429) wrong.push(`${line} returned ${named}`)
    const other = accounts.find((one) => one !== account && canaryOf && text.includes(canaryOf(one)))
    if (other) wrong.push(`${line} of ${account} shows data of ${other}`)
  }

  async function signIn(api: string, account: Account): Promise<string | null> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials[account] })
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(`${api}/${account}/auth/token`, { method: 'POST', body, signal })
    const { access_token } = (await response.json()) as { access_token?: string }
    if (access_token) tokens.set(account, access_token)
    return access_token ?? null
  }

  return {
    history,
    wrong,
    async ask(request) {
      const { account, operation, reference, key = null } = request
      const recorded: RecordedRequest<Account> = {
        account,
        operation,
        reference,
        key,
        fromMs: performance.now(),
        toMs: 0,
        tries: 0,
        outcome: 'unknown',
        status: 0,
        code: '',
        id: '',
      }
      history.push(recorded)
      for (;;) {
        recorded.tries += 1
        const answer = await once(request)
        recorded.toMs = performance.now()
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress') {
          recorded.outcome = answer.status < 300 ? 'ok' : 'rejected'
          recorded.status = answer.status
          recorded.code = answer.body.code ?? ''
          recorded.id = answer.body.data?.id ?? ''
          if (operation === 'create' && answer.status === 201) createdAtMs.push(recorded.toMs)
          return { recorded, answer }
        }
        recorded.status = answer?.status ?? 0
        recorded.code = answer?.body.code ?? ''
        if (recorded.toMs - Math.max(recorded.fromMs, retriesLimitedMs) > PATIENCE_MS)
          return { recorded, answer: null }
        await sleep(PAUSE_MS)
      }
    },
    async read(account, path) {
      const answer = await once({ account, method: 'GET', path })
      return answer && answer.status < 300 ? answer : null
    },
    limitRetries() {
      retriesLimitedMs = performance.now()
    },
    firstCreatedAfter: (fromMs) => createdAtMs.find((atMs) => atMs > fromMs) ?? null,
  }
}
