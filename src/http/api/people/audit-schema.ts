import { z } from 'zod'
import { ACTOR_KINDS } from '../../../domain/people/actor.ts'
import { Pagination } from '../fields/pagination.ts'
import { lineText, recordTime } from '../fields/text.ts'

export const AuditQuery = z.strictObject({
  limit: z.int().min(1).max(200).optional().meta({ description: '50 where absent.' }),
  after: z.string().min(1).max(200).optional().meta({ description: '`pagination.next` of the page before.' }),
  actor: lineText(100).optional().meta({ description: 'The id of whoever did it.' }),
  action: lineText(100).optional().meta({ description: 'The operationId, such as `amendDelivery`.' }),
  object: lineText(200).optional().meta({ description: 'The id of what it was done to.' }),
})

const state = z.looseObject({}).nullable()

export const AuditAnswer = z
  .strictObject({
    data: z.array(
      z.strictObject({
        id: z.string(),
        at: recordTime,
        actor: z.strictObject({
          kind: z.enum(ACTOR_KINDS),
          id: z.string(),
          name: z.string().nullable().meta({ description: 'As it is now; null where it has none.' }),
        }),
        action: z.string().meta({ description: 'The operationId of what was asked.' }),
        object: z.string().nullable(),
        before: state.meta({ description: 'What was there, where the operation knows.' }),
        after: state,
        ip: z.string().nullable(),
        request_id: z.string().nullable(),
      }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'AuditAnswer' })
