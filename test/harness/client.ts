import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, nameOf, type Reply, retrying } from './http.ts'

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

export type Client<Account extends string = string> = {
  history: RecordedRequest<Account>[]
  /** Responses that no fault excuses, and markers of one account in responses to the other. */
  wrong: string[]
  /** Sends until the outcome is known, always under the same key, to the two APIs in turn. */
  ask(
    operation: Operation,
    line: string,
    request: RequestSpec<Account>,
  ): Promise<{ recorded: RecordedRequest<Account>; answer: Reply | null }>
  /** Sends once. Throws without a response. */
  send(account: Account, line: string): Promise<Reply>
  /** Reads with retries. Responses are checked as those of `send`. */
  reader(account: Account): Ask
  /** From now on a request is given up after a while; before, it is retried without a limit. */
  limitRetries(): void
  /** When a create first returned 201 after `fromMs`; null: not yet. */
  firstCreatedAfter(fromMs: number): number | null
}

export type RequestSpec<Account extends string = string> = {
  account: Account
  reference?: string
  body?: unknown
  key?: string
}

export type ClientOptions<Account extends string> = {
  /** Calls the account's API, signed in; paths are relative to the account. */
  asks: Readonly<Record<Account, Ask>>
  /** A marker that only this account's responses may hold; null: the account is the only one. */
  canaryOf: ((account: Account) => string) | null
  timeoutMs?: number
  /** Between two tries. */
  pauseMs?: number
}

/** At the end of the run: longer than a dead process locks a key. */
const PATIENCE_MS = 150_000
/** PostgreSQL may still be replaying its log on a busy machine. */
const READ_PATIENCE_MS = 60_000
/** The 5xx responses that the API documents as "retry later". Any other 5xx is our bug. */
const DECLARED = /^503\b/

/** A 401 asks for another token: a token is valid for an hour. */
function isUnknown({ status, json }: Reply): boolean {
  return status >= 500 || status === 401 || json?.code === 'idempotency_in_progress'
}

/** A client as the guides describe it: without a response it sends the same request again under the same key. */
export function makeClient<Account extends string>({
  asks,
  canaryOf,
  timeoutMs = 12_000,
  pauseMs = 300,
}: ClientOptions<Account>): Client<Account> {
  const history: RecordedRequest<Account>[] = []
  const wrong: string[] = []
  const createdAtMs: number[] = []
  const accounts = Object.keys(asks) as Account[]
  let retriesLimitedMs = Number.POSITIVE_INFINITY

  async function send(account: Account, line: string, { body, key }: { body?: unknown; key?: string } = {}) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const reply = await asks[account](line, { body, headers, signal: AbortSignal.timeout(timeoutMs) })
    judge(line, account, reply)
    return reply
  }

  function judge(line: string, account: Account, reply: Reply): void {
    const isFault = reply.status >= 500 && !DECLARED.test(nameOf(reply))
    if (isFault || reply.status === 429) wrong.push(`${line} returned ${nameOf(reply)}`)
    const other = accounts.find((one) => one !== account && canaryOf && reply.text.includes(canaryOf(one)))
    if (other) wrong.push(`${line} of ${account} shows data of ${other}`)
  }

  return {
    history,
    wrong,
    async ask(operation, line, request) {
      const { account, reference = '', key = null } = request
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
        const answer = await send(account, line, request).catch(() => null)
        recorded.toMs = performance.now()
        recorded.status = answer?.status ?? 0
        recorded.code = answer?.json?.code ?? ''
        if (answer && !isUnknown(answer)) {
          recorded.outcome = answer.status < 300 ? 'ok' : 'rejected'
          recorded.id = answer.json?.data?.id ?? ''
          if (operation === 'create' && answer.status === 201) createdAtMs.push(recorded.toMs)
          return { recorded, answer }
        }
        if (recorded.toMs - Math.max(recorded.fromMs, retriesLimitedMs) > PATIENCE_MS)
          return { recorded, answer: null }
        await sleep(pauseMs)
      }
    },
    send,
    reader: (account) =>
      retrying(
        (line) => send(account, line),
        ({ status }) => status >= 300,
        READ_PATIENCE_MS,
      ),
    limitRetries() {
      retriesLimitedMs = performance.now()
    },
    firstCreatedAfter: (fromMs) => createdAtMs.find((atMs) => atMs > fromMs) ?? null,
  }
}
