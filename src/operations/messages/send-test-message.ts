import { toIssue } from '../../domain/account/validation/mistake.ts'
import type { Issue } from '../../domain/errors.ts'
import type { MessageKind } from '../../domain/messages/message.ts'
import {
  EXAMPLE_VALUES,
  type MessageText,
  renderMessage,
  type TextPlace,
} from '../../domain/messages/message-templates.ts'
import { listTemplateMistakes } from '../../domain/messages/template-mistakes.ts'
import { toE164 } from '../../domain/phone.ts'
import { refuse } from '../../domain/refuse.ts'
import { numberKind } from '../../domain/sms-number.ts'
import type { MessageTextName } from '../../domain/values.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { queueMessages } from '../../store/messages/messages.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { refuseTestsTooSoon } from './sms-limits.ts'

/** A text as its author has it now, and where they want to see it: exactly one of `phone` and `email`. */
export type TestMessage = {
  name: MessageTextName
  phone: string | null
  email: string | null
  subject: string | null
  text: string
}

const LIFE_MS = 3_600_000

/**
 * Queues a message with example values to its author, through the account's usual sender. It is limited and audited
 * without the address. Refuses `invalid_request` with every mistake of the text, and `rate_limited`.
 */
export async function sendTestMessage(
  deps: Deps,
  entry: AccountEntry,
  test: TestMessage,
  record: WriteAudit,
): Promise<MessageText & { id: string }> {
  const { kind, recipient } = requireRecipient(entry, test)
  const mistakes = listMistakes(kind, test)
  if (mistakes.length > 0) refuse(mistakes)
  const { account } = entry
  const store = account.stores[0]
  const own = {
    sms: { [test.name]: test.text },
    email: { [test.name]: { subject: test.subject ?? undefined, body: test.text } },
  }
  const message = renderMessage(kind, test.name, own, {
    ...EXAMPLE_VALUES,
    brand: store?.brand.name ?? account.name,
    store: store?.name ?? account.name,
    link: `${deps.publicUrl}/track/example`,
  })
  const nowMs = entry.nowMs()
  const id = `msg_${deps.newId('evt').slice('evt_'.length)}_${kind}`
  await withTransaction(deps.db, async (db) => {
    await refuseTestsTooSoon(db, { accountId: account.id, recipient })
    await queueMessages(db, [
      {
        account_id: account.id,
        message_id: id,
        kind,
        recipient,
        template: 'test',
        store_id: store?.id ?? null,
        link_id: null,
        ...message,
        created_at: nowMs,
        expires_at: nowMs + LIFE_MS,
      },
    ])
    await record(db, { accountId: account.id, object: id, after: { channel: kind, name: test.name } })
  })
  deps.wake()
  return { id, ...message }
}

function requireRecipient(
  entry: AccountEntry,
  { phone, email }: TestMessage,
): { kind: MessageKind; recipient: string } {
  if ((phone === null) === (email === null)) {
    refuse([
      { field: 'phone', issue: 'conflict', message: 'Give either a phone number or an email address.' },
    ])
  }
  if (phone === null) return { kind: 'email', recipient: email ?? '' }
  const recipient = toE164(phone)
  if (recipient === null) {
    return refuse([
      { field: 'phone', issue: 'invalid_value', message: 'This is not a phone number. Check it.' },
    ])
  }
  if (numberKind(recipient, entry.account.sms.countries) !== 'mobile') {
    refuse([
      {
        field: 'phone',
        issue: 'invalid_value',
        message: 'We can’t send an SMS to this number. Use a mobile number.',
      },
    ])
  }
  return { kind: 'sms', recipient }
}

function listMistakes(kind: MessageKind, { name, subject, text }: TestMessage): Issue[] {
  const of = (field: string, value: string, place: TextPlace): Issue[] =>
    listTemplateMistakes(value, place).map((mistake) =>
      toIssue({ path: [field], kind: 'invalid_value', ...mistake }),
    )
  if (text.trim() === '') return [{ field: 'text', issue: 'required', message: 'Write something to send.' }]
  if (kind === 'sms') return of('text', text, { channel: 'sms', name, part: null })
  return [
    ...of('subject', subject ?? '', { channel: 'email', name, part: 'subject' }),
    ...of('text', text, { channel: 'email', name, part: 'body' }),
  ]
}
