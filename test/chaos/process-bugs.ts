import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../src/bootstrap/composition-root.ts'
import { MAX_CLAIMS } from '../../src/operations/leases/claim.ts'
import { afterStatement, corruptStatements } from './corrupt-statements.ts'

/** Longer than a lease plus the settle time of a carrier. */
export const PAUSE_MS = 58_000
/** Deliveries that kill each worker that claims them. */
export const POISON = /^C[5-9]-/

/** Pauses of each worker. A lease expires after 30 s, the look-up runs 20 s later, then the next booking. */
const MAX_PAUSES = 5

/** Pauses between intent and call, like a stopped process, and ignores whether the lease is still held. */
export function forgetFence(parts: App): void {
  corruptStatements(parts, (text) =>
    text
      .replace(/\bfence = (\$\d+)/g, '$1::bigint is not null')
      .replace(/\b(d\.)?fence = g\.\w+/g, 'true')
      .replace(/ and lease_until is not null/, ''),
  )
  let pauses = 0
  afterStatement(parts, /^open-intents?$/, async () => {
    pauses += 1
    if (pauses <= MAX_PAUSES) await sleep(PAUSE_MS)
  })
}

/** No worker claims a look-up that is due. */
export function neverReconcile(parts: App): void {
  corruptStatements(parts, (text) =>
    /update booking_intents as i\s+set lease_until/.test(text)
      ? text.replace('due_at <= a.now', 'false')
      : text,
  )
}

export function listOfEverybody(parts: App): void {
  corruptStatements(parts, (text) =>
    /from "deliveries" where "account_id" = \$1/.test(text)
      ? text.replace('"account_id" = $1', '$1::text is not null')
      : text,
  )
}

/** A worker that claims a poison delivery dies, unless the delivery should be dead-lettered by now. */
export function countAfter(parts: App): void {
  corruptStatements(parts, (text) => text.replace('claims = claims + 1', 'claims = claims'))
  afterStatement(parts, /^claim-due-deliveries$/, (rows) => {
    const deadly = ({ reference, claims }: Record<string, unknown>) =>
      POISON.test(`${reference}`) && Number(claims) <= MAX_CLAIMS
    if (rows.some(deadly)) process.kill(process.pid, 'SIGKILL')
  })
}

const HOUR_S = 3_600

export function signLate({ deps }: App): void {
  const post = deps.postWebhook
  deps.postWebhook = (url, headers, body) => {
    const signed = Number(headers['webhook-timestamp'])
    return post(url, { ...headers, 'webhook-timestamp': `${signed - HOUR_S}` }, body)
  }
}

export function renameMessages({ deps }: App): void {
  const { sms } = deps.notifier
  if (!sms) return
  const send: typeof sms.send = (message) =>
    sms.send({ ...message, id: `${message.id}-${Math.random().toString(36).slice(2, 8)}` })
  deps.notifier = { ...deps.notifier, sms: { ...sms, send } }
}
