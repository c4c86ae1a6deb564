import { z } from 'zod'
import { MESSAGE_KINDS, MESSAGE_STATUSES, TEMPLATES } from '../../../domain/messages/message.ts'
import { listOf } from '../fields/pagination.ts'
import { recordTime, referenceText } from '../fields/text.ts'

export const MessageListQuery = z.strictObject({
  limit: z.int().min(1).max(200).optional().meta({ description: '50 where absent.' }),
  after: z.string().min(1).max(200).optional().meta({ description: '`pagination.next` of the page before.' }),
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
      description: 'Once it is worded. A link’s address stands as `{link}`: whoever has it may book.',
    }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description:
        '`kept`: no channel is set, so it is only to be read here. `expired`: its time passed before it could be sent.',
    }),
    reason: z.string().optional().meta({ description: 'Why it was not sent, or not yet.' }),
    attempts: z.int(),
    delivery_id: z.string().optional(),
    link_id: z.string().optional(),
    created_at: recordTime,
    not_after: recordTime.meta({ description: 'It is not sent later than this.' }),
    next_attempt_at: recordTime.optional(),
    sent_at: recordTime.optional(),
  })
  .meta({ id: 'Message' })

export const MessageListAnswer = listOf(Message).meta({ id: 'MessageListAnswer' })
