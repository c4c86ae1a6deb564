import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.ts'

/** RFC 9457, with our members. Some codes add one of their own, e.g. `delivery_id`. */
export const Problem = z
  .looseObject({
    type: z.string().meta({ format: 'uri', description: 'Ends in the code; leads to its explanation.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'A sentence that names the thing.' }),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string().optional(),
    errors: z
      .array(
        z
          .strictObject({
            field: z.string().meta({ examples: ['parcels[0].weight_kg'] }),
            issue: z.string().meta({ examples: ['required'] }),
            message: z.string(),
          })
          .meta({ id: 'FieldError' }),
      )
      .optional()
      .meta({ description: 'Every mistake of the request, not only the first.' }),
  })
  .meta({ id: 'Problem' })
