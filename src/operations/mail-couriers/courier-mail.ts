import type { Outcome } from '../../carriers/port/carrier.ts'
import type { Attachment, SendOutcome } from '../../notify/notifier.ts'
import { storeCourierMail } from '../../store/messages/courier-mails.ts'
import type { Deps } from '../deps.ts'

export type Post = {
  accountId: string
  sandbox: boolean
  /** Idempotency key: ours; becomes the Message-ID, the same at each retry. */
  id: string
  to: string
  /** The sender's name, as people read it. */
  from: string
  storeId: string | null
  deliveryId: string | null
  subject: string
  body: string
  attachments: readonly Attachment[]
}

/**
 * Sends a mail to a courier and stores it in the outbox. If the server's answer is lost, the mail may be sent
 * again: a parcel that isn't collected is worse than a duplicate mail
 * (docs/decisions/0017-on-demand-and-email-couriers.md). Without a mail server, a sandbox account only stores
 * the mail, and on a live account the send fails.
 */
export async function postToCourier(deps: Deps, meant: Post): Promise<Outcome<null>> {
  const { email } = deps.notifier
  const post = meant.sandbox ? { ...meant, subject: `TEST ${meant.subject}` } : meant
  if (!email && !post.sandbox) {
    return { kind: 'no', retry: 'later', message: 'no mail server is set (SMTP_URL)' }
  }
  const { id, to, from, subject, body, attachments } = post
  const sent: SendOutcome | null = email
    ? await email.send({ id, to, from, subject, body, attachments })
    : null
  await keep(deps, post, sent)
  if (sent === null || sent.kind === 'yes') return { kind: 'yes', value: null }
  if (sent.kind === 'unknown') return sent
  return { kind: 'no', retry: sent.again ? 'later' : 'another_carrier', message: sent.message }
}

/** The mail is sent or not, whatever happens here: a failure to store it is only logged. */
async function keep(deps: Deps, post: Post, sent: SendOutcome | null): Promise<void> {
  const status = sent === null ? 'no_channel' : sent.kind === 'yes' ? 'sent' : 'failed'
  const message =
    sent === null ? 'Not sent: no mail server is set (SMTP_URL).' : sent.kind === 'yes' ? null : sent.message
  const { accountId, storeId, deliveryId, subject, body } = post
  const atMs = deps.accounts.nowMs(accountId)
  await storeCourierMail(deps.db, {
    ...{ accountId, storeId, deliveryId, subject, body, status, message, atMs },
    id: `msg_${timeOrdered(deps, post)}_courier`,
    recipient: post.to,
  }).catch((error: unknown) =>
    deps.log.error({ err: error, mail: post.id }, 'a courier mail could not be shown'),
  )
}

/** The outbox sorts by id: a mail's id holds the time of its first send, or of its manifest's creation. */
function timeOrdered(deps: Deps, { id }: Post): string {
  return /^man_([0-9a-z]{26})$/.exec(id)?.[1] ?? deps.newId('evt').slice('evt_'.length)
}
