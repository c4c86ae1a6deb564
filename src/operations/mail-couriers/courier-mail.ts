import type { Outcome } from '../../carriers/port/carrier.ts'
import type { Attachment, SendOutcome } from '../../notify/notifier.ts'
import { keepCourierMail } from '../../store/messages/courier-mails.ts'
import type { Deps } from '../context/deps.ts'

export type Post = {
  accountId: string
  sandbox: boolean
  /** Ours; becomes the Message-ID, the same however often it is sent. */
  id: string
  to: string
  /** A name for people. */
  from: string
  storeId: string | null
  deliveryId: string | null
  subject: string
  body: string
  attachments: readonly Attachment[]
}

/**
 * Sends a mail that a courier acts on, and shows it in the outbox. Where the server's answer is lost it may be sent
 * again: a parcel that nobody collects is worse than a mail that comes twice (decision record 17). Without a mail
 * server a sandbox account only keeps it to be read, and a live one has told nobody.
 */
export async function postToCourier(deps: Deps, meant: Post): Promise<Outcome<null>> {
  const { email } = deps.notifier
  const post = meant.sandbox ? { ...meant, subject: `TEST ${meant.subject}` } : meant
  if (!email && !post.sandbox) {
    return { kind: 'no', cure: 'later', said: 'no mail server is set (SMTP_URL)' }
  }
  const { id, to, from, subject, body, attachments } = post
  const sent: SendOutcome | null = email
    ? await email.send({ id, to, from, subject, body, attachments })
    : null
  await keep(deps, post, sent)
  if (sent === null || sent.kind === 'yes') return { kind: 'yes', value: null }
  if (sent.kind === 'unknown') return sent
  return { kind: 'no', cure: sent.again ? 'later' : 'another_carrier', said: sent.said }
}

/** The mail is out, or not: that it cannot be shown changes nothing of it. */
async function keep(deps: Deps, post: Post, sent: SendOutcome | null): Promise<void> {
  const status = sent === null ? 'kept' : sent.kind === 'yes' ? 'sent' : 'failed'
  const said =
    sent === null ? 'Not sent: no mail server is set (SMTP_URL).' : sent.kind === 'yes' ? null : sent.said
  const { accountId, storeId, deliveryId, subject, body } = post
  const atMs = deps.accounts.find(accountId)?.nowMs() ?? 0
  await keepCourierMail(deps.db, {
    ...{ accountId, storeId, deliveryId, subject, body, status, said, atMs },
    id: `msg_${timeOrdered(deps, post)}_courier`,
    recipient: post.to,
  }).catch((error: unknown) =>
    deps.log.error({ err: error, mail: post.id }, 'a courier mail could not be shown'),
  )
}

/** The outbox goes by its ids: that of a mail sorts by when it was first sent, or by when its manifest was made. */
function timeOrdered(deps: Deps, { id }: Post): string {
  return /^man_([0-9a-z]{26})$/.exec(id)?.[1] ?? deps.newId('evt').slice('evt_'.length)
}
