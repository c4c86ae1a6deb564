import { retryBackoffMs } from '../../domain/delivery/backoff.ts'
import { isOvertaken, isProgressTemplate, type MessageKind } from '../../domain/messages/message.ts'
import type { Channel, SendOutcome } from '../../notify/notifier.ts'
import { noteFailure } from '../../observability/tracing/current.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import {
  beginMessage,
  claimDueMessages,
  type DueMessage,
  type MessageEnd,
  settleMessage,
  settleMessages,
} from '../../store/messages/due-messages.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import type { Deps } from '../deps.ts'
import { dueAccountNows, MAX_CLAIMS } from '../leases/claim.ts'
import { bodyToSend, type RenderedMessage, renderMessages } from './render-messages.ts'
import { holdSms, noSms } from './sms-limits.ts'

/**
 * Leases up to `limit` due messages of one kind, of all accounts, to this process; suspect rows only as `suspects` has
 * slots.
 */
export async function claimMessages(
  deps: Deps,
  kind: MessageKind,
  limit: number,
  suspects = QUARANTINE_SLOTS,
): Promise<DueMessage[]> {
  return claimDueMessages(deps.db, await dueAccountNows(deps, kind), {
    limit,
    leaseMs: deps.leaseMs,
    suspects,
    values: [kind],
  })
}

/**
 * Sends each claimed message at most once, or records why not: too late, superseded, no channel. The text and the
 * attempt are stored before the gateway is called, so a worker that crashes then leaves an unknown outcome and not a
 * second message. Only messages that the receiver deduplicates by id are sent again.
 */
export async function sendMessages(deps: Deps, claimed: readonly MessageRow[]): Promise<void> {
  const rows = claimed.filter(({ claims }) => claims <= MAX_CLAIMS)
  await giveUp(
    deps,
    claimed.filter(({ claims }) => claims > MAX_CLAIMS),
  )
  const deliveries = await findDeliveries(deps, rows)
  const worded = await renderMessages(deps, rows, deliveries)
  const ends: MessageEnd[] = []
  const sendable: RenderedMessage[] = []
  for (const message of worded) {
    const end = await endUnsent(deps, message)
    if (end) ends.push(end)
    else sendable.push(message)
  }
  const allowed = await withinCeilings(deps, sendable, ends)
  if (ends.length > 0) await settleMessages(deps.db, ends)
  await Promise.all(allowed.map((message) => sendOne(deps, message)))
}

/** Messages within the limits; the results of the others are added to `ends`. */
async function withinCeilings(
  deps: Deps,
  messages: RenderedMessage[],
  ends: MessageEnd[],
): Promise<RenderedMessage[]> {
  const ofAccount = Map.groupBy(
    messages.filter(({ row }) => row.kind === 'sms'),
    ({ row }) => row.account_id,
  )
  const held = new Set<RenderedMessage>()
  for (const [accountId, some] of ofAccount) {
    const entry = await deps.accounts.find(accountId)
    if (!entry) continue
    const waiting = await holdSms(
      deps,
      entry,
      some.map(({ row }) => row),
    )
    for (const message of some) {
      const end = waiting.get(message.row)
      if (!end) continue
      held.add(message)
      ends.push(ended(message, end))
    }
    if (waiting.size > 0)
      deps.log.warn({ messages: waiting.size }, 'SMS messages wait: the account has reached its daily limit')
  }
  return messages.filter((message) => !held.has(message))
}

async function giveUp(deps: Deps, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length === 0) return
  const message = `Given up after ${MAX_CLAIMS} attempts that did not finish.`
  for (const { message_id } of rows) deps.log.error({ message_id }, 'a message was given up')
  await settleMessages(
    deps.db,
    rows.map((row) => ended({ row, wording: null }, { status: 'failed', message })),
  )
}

async function findDeliveries(deps: Deps, rows: readonly MessageRow[]): Promise<Map<string, DeliveryRow>> {
  const found = await Promise.all(
    rows.map(({ account_id: accountId, delivery_id: deliveryId }) =>
      deliveryId === null ? null : deps.findDelivery({ accountId, deliveryId }),
    ),
  )
  return new Map(found.flatMap((row) => (row ? [[row.delivery_id, row]] : [])))
}

/** Why a message is not sent now, as the end of its claim; null if it is to be sent. */
async function endUnsent(deps: Deps, message: RenderedMessage): Promise<MessageEnd | null> {
  const { row, wording, delivery } = message
  const end = (status: MessageEnd['status'], reason: string) => ended(message, { status, message: reason })
  const channel = deps.notifier[row.kind]

  if (row.send_started_at !== null && !channel?.honoursIds) {
    return end(
      'failed',
      'The process that sent the message stopped before the answer. It may have been sent, so Drover does not send it again.',
    )
  }
  if (wording === null) return end('failed', 'Its delivery or store can no longer be found.')
  const entry = await deps.accounts.find(row.account_id)
  const none = row.kind === 'sms' && entry ? noSms(entry, row) : null
  if (none) return ended(message, none)
  if (message.nowMs >= row.expires_at) {
    const tried = row.attempts > 0 ? ` ${row.response_excerpt ?? ''}`.trimEnd() : ''
    return end('expired', `It could not be sent while it was still of use.${tried}`)
  }
  if (
    delivery &&
    isProgressTemplate(row.template) &&
    isOvertaken(row.template, delivery.status, row.attempts)
  ) {
    return end('expired', `Out of date: the delivery is already ${delivery.status}.`)
  }
  if (!channel) return end('no_channel', NO_CHANNEL[row.kind])
  return null
}

const NO_CHANNEL = {
  sms: 'Not sent: no SMS gateway is set (SMS_URL).',
  email: 'Not sent: no mail server is set (SMTP_URL).',
} as const

async function sendOne(deps: Deps, message: RenderedMessage): Promise<void> {
  const { row, wording, brand } = message
  const channel = deps.notifier[row.kind] as Channel
  try {
    if (!(await beginMessage(deps.db, { ...row, ...wording }))) return
    const outcome = await channel.send({
      id: row.message_id,
      to: row.recipient,
      from: brand,
      subject: wording?.subject ?? null,
      body: bodyToSend(deps, row, wording?.body ?? ''),
    })
    const end = toEnd(deps, message, outcome, channel)
    if (outcome.kind !== 'yes') {
      const { status, message: reason } = end
      deps.log.warn({ message_id: row.message_id, kind: row.kind, status, reason }, 'a message was not sent')
    }
    await settleMessage(deps.db, end)
  } catch (error) {
    noteFailure(error)
    deps.log.error(
      { err: error, message_id: row.message_id },
      'a message could not be settled; its lease will end',
    )
  }
}

function toEnd(
  deps: Deps,
  rendered: RenderedMessage,
  outcome: SendOutcome,
  { honoursIds }: Channel,
): MessageEnd {
  const nowMs = deps.accounts.nowMs(rendered.row.account_id)
  if (outcome.kind === 'yes') return ended(rendered, { status: 'sent', message: null, sentAtMs: nowMs })
  const { message } = outcome
  if (outcome.kind === 'unknown' && !honoursIds) {
    return ended(rendered, {
      status: 'failed',
      message: `${message} It may have been sent, so Drover does not send it again.`,
    })
  }
  if (outcome.kind === 'no' && !outcome.again) return ended(rendered, { status: 'failed', message })
  // Checked once more when it expires, so that the expiry is recorded in time.
  const againMs = nowMs + retryBackoffMs(rendered.row.attempts, Math.random())
  return ended(rendered, { status: 'queued', message, dueAtMs: Math.min(againMs, rendered.row.expires_at) })
}

function ended(
  { row, wording }: Pick<RenderedMessage, 'row' | 'wording'>,
  end: Pick<MessageEnd, 'status' | 'message'> & Partial<Pick<MessageEnd, 'sentAtMs' | 'dueAtMs'>>,
): MessageEnd {
  const { account_id, message_id, fence } = row
  const words = { subject: wording?.subject ?? null, body: wording?.body ?? null }
  return { account_id, message_id, fence, ...words, sentAtMs: null, dueAtMs: null, ...end }
}
