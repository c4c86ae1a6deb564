import { z } from 'zod'
import { errorClassifier } from '../../kit/error-classifier.ts'

/**
 * Southern sends it with 503 before it executes anything (their guide); any other 5xx may have been executed.
 */
const MAINTENANCE = '59001'
export const DELETED_BEFORE = '44010'

export const reader = errorClassifier({
  errors: z
    .object({ errors: z.array(z.object({ code: z.string(), message: z.string() })).min(1) })
    .transform(({ errors }) => errors.map(({ code, message }) => ({ code, field: null, message }))),
  adviceByCode: {
    '51101': 'another_carrier',
    '51107': 'another_carrier',
    // A field that we sent is wrong, or the shipment was deleted or collected.
    '40001': 'nobody',
    '44004': 'nobody',
    [DELETED_BEFORE]: 'nobody',
    '44016': 'nobody',
    '44022': 'nobody',
    '45002': 'nobody',
    '51109': 'nobody',
    unauthorised: 'later',
    [MAINTENANCE]: 'later',
  },
  undone: [MAINTENANCE],
})
