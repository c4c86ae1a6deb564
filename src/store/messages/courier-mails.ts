import type { MessageStatus } from '../../domain/messages/message.ts'
import { type Db, instant } from '../db/db.ts'

export type CourierMail = {
  accountId: string
  /** Of a mail that has been sent before, about the same delivery in the same words, the earlier one stands. */
  id: string
  recipient: string
  storeId: string | null
  deliveryId: string | null
  subject: string
  body: string
  status: Extract<MessageStatus, 'sent' | 'failed' | 'no_channel'>
  message: string | null
  atMs: number
}

/** Shows a mail to a courier in the outbox. It has been sent, or not: nothing sends it from there. */
export async function storeCourierMail(db: Db, mail: CourierMail): Promise<void> {
  const { rows } = await db.query<{ message_id: string }>({
    name: 'find-courier-mail',
    text: `select message_id from messages
      where account_id = $1 and delivery_id = $2 and template = 'courier_mail' and subject = $3
      order by message_id limit 1`,
    values: [mail.accountId, mail.deliveryId, mail.subject],
  })
  await db.query({
    name: 'keep-courier-mail',
    text: `insert into messages as m (account_id, message_id, kind, recipient, template, store_id, delivery_id, subject,
        body, status, response_excerpt, attempts, created_at, expires_at, sent_at)
      values ($1, $2, 'email', $3, 'courier_mail', $4, $5, $6, $7, $8, $9, 1, $10, $10,
        case when $8 = 'sent' then $10::timestamptz end)
      on conflict (account_id, message_id) do update
      set status = excluded.status, response_excerpt = excluded.response_excerpt, attempts = m.attempts + 1, sent_at = excluded.sent_at
      where m.status <> 'sent'`,
    values: [
      mail.accountId,
      rows[0]?.message_id ?? mail.id,
      mail.recipient,
      mail.storeId,
      mail.deliveryId,
      mail.subject,
      mail.body,
      mail.status,
      mail.message,
      instant(mail.atMs),
    ],
  })
}
