import { z } from 'zod'
import { errorClassifier } from '../../kit/error-classifier.ts'

const Errors = z
  .object({ errors: z.array(z.object({ code: z.string(), message: z.string().nullish() })).min(1) })
  .transform(({ errors }) =>
    errors.map(({ code, message }) => ({ code, field: null, message: message ?? '' })),
  )

/** They report a deleted consignment like one that never existed. */
export const NOT_FOUND = 'REC_NF'

/**
 * Their error codes (wiki, Codes: Error Codes) for jobs that another carrier may take, and for problems of
 * the account.
 */
export const reader = errorClassifier({
  errors: Errors,
  adviceByCode: {
    '401': 'later',
    '403': 'later',
    FIN_CR_LOW: 'later',
    FIN_CR_LMT: 'later',
    FIN_CR_STOP: 'later',
    REC_STALE: 'later',
    REC_EXISTS: 'unknown',
    // "General Error", for any kind of failure.
    GEN: 'unknown',
    GEO_ADDR_VAL: 'another_carrier',
    GEO_ADDR_MANY: 'another_carrier',
    PRI_LST_NF: 'another_carrier',
    PRI_ZNE_NF: 'another_carrier',
    PRI_ZNE_NF_PKG: 'another_carrier',
    PRI_ZNE_NF_SAT: 'another_carrier',
    PRI_WGT_RNG: 'another_carrier',
    PRI_WGT_MX_KG: 'another_carrier',
    PRI_WGT_MX_CM: 'another_carrier',
    PSC_NF: 'another_carrier',
    PSC_ONF: 'another_carrier',
    PSC_PC_NF: 'another_carrier',
    PSC_LOC_NF: 'another_carrier',
    PSC_LOC_MIS: 'another_carrier',
    CON_COL_DATE: 'another_carrier',
    CON_PKG: 'nobody',
    CON_SAT: 'nobody',
    [NOT_FOUND]: 'nobody',
    VAL_REQ: 'nobody',
    VAL_INVALID: 'nobody',
    VAL_EMAIL: 'nobody',
  },
})
