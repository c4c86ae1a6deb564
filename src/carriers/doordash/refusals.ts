import { z } from 'zod'
import { wordsOf } from '../words.ts'

const Refused = z
  .object({
    code: z.string().optional(),
    message: z.string().default(''),
    reason: z.string().optional().catch(undefined),
    field_errors: z
      .array(z.object({ field: z.string(), error: z.string() }))
      .optional()
      .catch(undefined),
  })
  .refine(({ code, field_errors }) => code !== undefined || field_errors !== undefined)
  .transform(({ code = '', message, reason, field_errors = [] }) => {
    const fields = field_errors.map(({ field, error }) => `${field} ${error}`)
    const said = [reason, ...(fields.length > 0 ? fields : [message])].filter(Boolean).join(': ')
    return [{ code, field: null, said }]
  })

/**
 * They publish what statuses mean, and of the codes only `validation_error`: 422 is what cannot be done (too far,
 * out of the area, no such time), 400 what is wrong, 401 and 403 what is the matter with the account.
 */
export const WORDS = wordsOf({
  errors: Refused,
  leaves: { '401': 'later', '403': 'later', '422': 'another_carrier' },
})
