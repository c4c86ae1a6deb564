import { neverConnected } from '../../outbound/never-connected.ts'
import { type Channel, type Outgoing, SEND_MS, type SendOutcome } from '../notifier.ts'

/**
 * SMS through any HTTP gateway: `POST` of `{ to, text, id }` as JSON, with the message's id as
 * Idempotency-Key too (docs/guides/messages.md). A 2xx means accepted; the gateway accepts each id only once.
 * User and password in the URL become HTTP Basic.
 */
export function smsGateway(address: string): Channel {
  const url = new URL(address)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = username ? `Basic ${Buffer.from(credentials).toString('base64')}` : null
  return {
    honoursIds: true,
    send: (message) => post(url.href, authorization, message),
  }
}

async function post(
  url: string,
  authorization: string | null,
  { id, to, body }: Outgoing,
): Promise<SendOutcome> {
  const { fetch } = await import('undici')
  try {
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': id,
        ...(authorization ? { authorization } : {}),
      },
      body: JSON.stringify({ to, text: body, id }),
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_MS),
    })
    await answer?.cancel()
    return outcomeOf(status)
  } catch (error) {
    const { cause } = error as Error
    return neverConnected(cause)
      ? {
          kind: 'no',
          again: true,
          message: `The SMS gateway cannot be reached (${(cause as { code: string }).code}).`,
        }
      : { kind: 'unknown', message: 'The SMS gateway did not answer.' }
  }
}

function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'yes' }
  const message = `The SMS gateway answered ${status}.`
  if (status >= 500) return { kind: 'unknown', message }
  return { kind: 'no', again: LATER.has(status), message }
}

/**
 * Retry: credentials, which an operator can fix; time-out, the same message still in progress, too early, too
 * many.
 */
const LATER: ReadonlySet<number> = new Set([401, 403, 408, 409, 425, 429])
