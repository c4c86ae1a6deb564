import type { Store } from '../../domain/account/account.ts'
import type { Link } from '../../domain/links/link.ts'
import { LIFE_MS, type MessageKind } from '../../domain/messages/message.ts'
import { formatLinkMessage } from '../../domain/messages/message-text.ts'
import type { NewMessage } from '../../store/messages/messages.ts'

type Told = Pick<Link, 'accountId' | 'expiresAtMs'> & {
  linkId: string
  /** Part of the messages' ids; later ones sort after earlier ones. */
  ulid: string
}

type Facts = { customer: Link['request']['customer']; store: Store; nowMs: number }

/** The messages to a link's customer: an SMS, and an email if there is an address. */
export function linkMessages(
  { accountId, linkId, ulid, expiresAtMs }: Told,
  { customer, store, nowMs }: Facts,
): NewMessage[] {
  const message = (kind: MessageKind, recipient: string): NewMessage => ({
    account_id: accountId,
    message_id: `msg_${ulid}_${kind}`,
    kind,
    recipient,
    template: 'link',
    store_id: store.id,
    link_id: linkId,
    ...formatLinkMessage(kind, { firstName: customer.firstName, store }),
    created_at: nowMs,
    expires_at: Math.min(nowMs + LIFE_MS.link, expiresAtMs ?? Number.POSITIVE_INFINITY),
  })
  return [
    message('sms', customer.phone),
    ...(customer.email === null ? [] : [message('email', customer.email)]),
  ]
}
