import { z } from 'zod'
import { MESSAGE_KINDS, MESSAGE_STATUSES, TEMPLATES } from '../../../domain/messages/message.ts'
import { MESSAGE_TEXTS } from '../../../domain/values.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { emailText, freeText, lineText, phoneText, recordTime, referenceText } from '../fields/text.ts'

export const MessageListQuery = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The maximum number of results in a page. Default 50.' }),
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`pagination.next` of the previous page.' }),
  delivery_id: referenceText().optional(),
  link_id: referenceText().optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  kind: z.enum(MESSAGE_KINDS).optional(),
})
export type MessageListQuery = z.infer<typeof MessageListQuery>

const Message = z
  .strictObject({
    id: z.string(),
    kind: z.enum(MESSAGE_KINDS),
    to: z.string(),
    template: z.enum(TEMPLATES),
    subject: z.string().optional(),
    text: z.string().optional().meta({
      description:
        'Present when the message text has been rendered. The URL of a link is replaced by `{link}`, because anyone with the URL may book.',
    }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description:
        '`no_channel`: no channel is configured, so the message can only be read here. `expired`: `expires_at` passed before the message could be sent.',
    }),
    reason: z.string().optional().meta({ description: 'Why the message was not sent, or is not sent yet.' }),
    attempts: z.int(),
    delivery_id: z.string().optional(),
    link_id: z.string().optional(),
    created_at: recordTime,
    expires_at: recordTime.meta({ description: 'Drover does not send the message after this time.' }),
    next_attempt_at: recordTime.optional(),
    sent_at: recordTime.optional(),
  })
  .meta({ id: 'Message' })

export const MessageListAnswer = makeListSchema(Message).meta({ id: 'MessageListAnswer' })

export const TestMessageBody = z
  .strictObject({
    name: z.enum(MESSAGE_TEXTS).meta({ description: 'Which message `text` is for.' }),
    phone: phoneText.optional().meta({ description: 'Where to send an SMS. Give this or `email`.' }),
    email: emailText.optional().meta({ description: 'Where to send an email. Give this or `phone`.' }),
    subject: lineText(200).optional().meta({ description: 'Only for an email. Default: our subject.' }),
    text: freeText(4_000).meta({ description: 'The text with placeholders such as {{order}}.' }),
  })
  .meta({ id: 'TestMessageRequest' })

export const TestMessageAnswer = z
  .strictObject({
    data: z.strictObject({
      id: z.string().meta({ description: 'The message in the outbox.' }),
      subject: z.string().nullable().meta({ description: '`null` for an SMS.' }),
      text: z.string(),
    }),
  })
  .meta({ id: 'TestMessageAnswer' })
