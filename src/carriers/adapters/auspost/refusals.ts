import { z } from 'zod'
import { errorClassifier } from '../../kit/error-classifier.ts'

/** The two error formats: the API's own, and that of the gateway in front of it. */
const ApiError = z
  .object({
    code: z.string(),
    name: z.string().nullish(),
    message: z.string().nullish(),
    field: z.string().nullish(),
  })
  .transform(({ code, name, message, field }) => ({
    code,
    name: name ?? undefined,
    field: field ?? null,
    message: message || name || code,
  }))
const GatewayError = z
  .object({ error_code: z.string(), error_name: z.string().nullish(), message: z.string().nullish() })
  .transform(({ error_code: code, error_name, message }) => ({
    code,
    name: error_name ?? undefined,
    field: null,
    message: message || error_name || code,
  }))
const OneError = z.union([ApiError, GatewayError])
const Errors = z.union([
  z.object({ errors: z.array(OneError).min(1) }).transform(({ errors }) => errors),
  OneError.transform((error) => [error]),
])

export const SHIPMENT_GONE = '44013'
export const IN_AN_ORDER = '44016'
/** In response to a request for ZPL. */
export const TOO_MANY_LABELS = '51008'

export const reader = errorClassifier({
  errors: Errors,
  adviceByCode: {
    // "System Error": of any operation, in a 4xx too.
    'ESB-20010': 'unknown',
    'ESB-20050': 'unknown',
    API_001: 'later',
    API_002: 'later',
    '41001': 'later',
    '41002': 'later',
    '41003': 'later',
    '44017': 'later',
    '41007': 'another_carrier',
    '42001': 'another_carrier',
    '42002': 'another_carrier',
    '42006': 'another_carrier',
    '42007': 'another_carrier',
    '42008': 'another_carrier',
    '42009': 'another_carrier',
    '42010': 'another_carrier',
    '42011': 'another_carrier',
    '42012': 'another_carrier',
    '43003': 'another_carrier',
    '43004': 'another_carrier',
    '44003': 'another_carrier',
    '44043': 'another_carrier',
    '46000': 'another_carrier',
    '46001': 'another_carrier',
    '66004': 'another_carrier',
    '80002': 'another_carrier',
    // A field that we sent is wrong, or the shipment was deleted or can no longer be changed.
    '40002': 'nobody',
    '43009': 'nobody',
    '43011': 'nobody',
    '43017': 'nobody',
    '44002': 'nobody',
    '44005': 'nobody',
    '44010': 'nobody',
    '44013': 'nobody',
    '44015': 'nobody',
    '44016': 'nobody',
    '44023': 'nobody',
    '44026': 'nobody',
    '44031': 'nobody',
    '44033': 'nobody',
    '44038': 'nobody',
    '44059': 'nobody',
    '51008': 'nobody',
    '51015': 'nobody',
    '51020': 'nobody',
    '51100': 'nobody',
    '51101': 'nobody',
    '51102': 'nobody',
    '51103': 'nobody',
    '51104': 'nobody',
    'ESB-10001': 'nobody',
    'ESB-10002': 'nobody',
  },
})
