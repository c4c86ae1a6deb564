import { Refusal } from '../../../domain/errors.ts'
import { sendTestMessage } from '../../../operations/messages/send-test-message.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { TestMessageAnswer, TestMessageBody } from './message-schema.ts'

export const TEST_MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/admin/accounts/:tenant_id/test-message',
    operationId: 'sendTestMessage',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Send a message text to yourself, with example values',
    description:
      'Uses the account’s usual sender. The text need not be in the account document yet. At most 20 an hour for an account, and 10 to one address. The audit log does not record the address.',
    body: TestMessageBody,
    example: {
      name: 'delivered',
      phone: '0491 570 156',
      text: '{{brand}}: {{order}} has been delivered. {{link}}',
    },
    answers: { 202: { description: 'The message is queued.', schema: TestMessageAnswer } },
    refusals: ['not_found', 'rate_limited'],
    async handle({ deps, params, body, audit }) {
      const accountId = params.tenant_id as string
      const entry = await deps.accounts.find(accountId)
      if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
      const { name, phone = null, email = null, subject = null, text } = body
      const sent = await sendTestMessage(deps, entry, { name, phone, email, subject, text }, audit.record)
      return json(202, { data: { id: sent.id, subject: sent.subject, text: sent.body } })
    },
  }),
]
