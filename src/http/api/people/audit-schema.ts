import { z } from 'zod'
import { ACTOR_KINDS } from '../../../domain/people/actor.ts'
import { Pagination } from '../fields/pagination.ts'
import { lineText, recordTime } from '../fields/text.ts'

export const AuditQuery = z.strictObject({
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
  actor: lineText(100).optional().meta({ description: 'The id of the actor.' }),
  action: lineText(100).optional().meta({ description: 'The operationId, for example `amendDelivery`.' }),
  object: lineText(200).optional().meta({ description: 'The id of the object that was changed.' }),
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
          name: z
            .string()
            .nullable()
            .meta({ description: 'The current name of the actor. Null if the actor has no name.' }),
        }),
        action: z.string().meta({ description: 'The operationId of the request.' }),
        object: z.string().nullable(),
        before: state.meta({ description: 'The state before the change, if the operation knows it.' }),
        after: state,
        ip: z.string().nullable(),
        request_id: z.string().nullable(),
      }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'AuditAnswer' })
