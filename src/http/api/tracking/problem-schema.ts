import { z } from 'zod'
import { EXCLUSION_RULES } from '../../../domain/quoting/decision.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { PageBrand, PageHelp } from './tracking-schema.ts'

/** What one code or another adds to its problem, with the codes that do. */
const MEMBERS = {
  exclusions: z
    .array(
      z
        .strictObject({
          provider: z.string(),
          service: z.string(),
          delivery_type: z.enum(DELIVERY_TYPES),
          rule: z.enum(EXCLUSION_RULES),
          detail: z.string(),
        })
        .meta({ id: 'Exclusion' }),
    )
    .meta({
      description: '`no_service_available`: each service that was tried, and the rule that excluded it.',
    }),
  delivery_id: z
    .string()
    .meta({ description: '`duplicate_reference`, `delivery_erased`: the existing delivery.' }),
  user_id: z.string().meta({ description: '`duplicate_user`: the existing user.' }),
  store_references: z
    .array(z.string())
    .meta({ description: '`ambiguous_reference`: the stores that use the reference.' }),
  delivery_references: z
    .array(z.string())
    .meta({ description: '`deliveries_not_eligible`: the deliveries that cannot go on the manifest.' }),
  accounts: z
    .array(z.strictObject({ tenant_id: z.string(), name: z.string() }))
    .meta({ description: '`choose_account`: the accounts that the password opens.' }),
  tries_left: z.int().meta({ description: '`wrong_reference`: how many tries the link has left.' }),
  carrier_provider: z
    .string()
    .nullable()
    .meta({ description: '`delivery_erased`: the carrier that had the delivery.' }),
  consignment_number: z
    .string()
    .nullable()
    .meta({ description: '`delivery_erased`: the number that the carrier knows the delivery by.' }),
  on_manifests: z
    .array(z.strictObject({ manifest_id: z.string(), delivery_references: z.array(z.string()) }))
    .meta({
      description: '`invalid_request` of a manifest: the manifests that already have the deliveries.',
    }),
  scope: z.string().meta({ description: '`insufficient_scope`: the scope that the token lacks.' }),
  brand: PageBrand.meta({ description: '`link_expired`, `link_revoked`, `link_locked`: whose link it was.' }),
  help: PageHelp.meta({ description: 'With `brand`: whom the customer can ask.' }),
}

/** RFC 9457, with our members. A code may get more of them. */
export const Problem = z
  .looseObject({
    type: z.string().meta({
      format: 'uri',
      description: 'Always `urn:drover:error:` and the code, at every installation.',
      examples: ['urn:drover:error:invalid_request'],
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'A sentence that names the thing.' }),
    code: z
      .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
      .meta({ description: 'Stable: programs may switch on it. `/docs/errors` explains each.' }),
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
    ...z.object(MEMBERS).partial().shape,
  })
  .meta({ id: 'Problem' })
