import { z } from 'zod'
import { EXCLUSION_RULES } from '../../../domain/quoting/decision.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { PageBrand, PageHelp } from './tracking-schema.ts'

/** The extra fields of a problem, each with the codes that have it. */
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
      description:
        '`no_service_available`: each service that was considered, with the rule that excluded it.',
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
    .meta({ description: '`deliveries_not_eligible`: the deliveries that cannot be on the manifest.' }),
  accounts: z
    .array(z.strictObject({ tenant_id: z.string(), name: z.string() }))
    .meta({ description: '`account_required`: the accounts for which the password is correct.' }),
  attempts_left: z
    .int()
    .meta({ description: '`reference_mismatch`: the number of attempts left for the link.' }),
  carrier_provider: z
    .string()
    .nullable()
    .meta({ description: '`delivery_erased`: the carrier that had the delivery.' }),
  consignment_number: z
    .string()
    .nullable()
    .meta({ description: '`delivery_erased`: the carrier’s consignment number of the delivery.' }),
  on_manifests: z
    .array(z.strictObject({ manifest_id: z.string(), delivery_references: z.array(z.string()) }))
    .meta({
      description:
        '`invalid_request` of a manifest request: the manifests that already contain the deliveries.',
    }),
  scope: z.string().meta({ description: '`insufficient_scope`: the scope that the token lacks.' }),
  limit_cents: z.int().meta({ description: '`spending_limit_reached`: the client’s daily limit.' }),
  spent_cents: z.int().meta({ description: '`spending_limit_reached`: what the client has spent today.' }),
  resets_at: z.string().meta({ description: '`spending_limit_reached`: when the next day begins.' }),
  brand: PageBrand.meta({
    description: '`link_expired`, `link_revoked`, `link_locked`: the brand of the link.',
  }),
  help: PageHelp.meta({ description: 'With `brand`: the store’s contact details for the customer.' }),
}

/** RFC 9457 with Drover's own fields. A code may get further fields. */
export const Problem = z
  .looseObject({
    type: z.string().meta({
      format: 'uri',
      description: '`urn:drover:error:` and the code. It is the same in every installation.',
      examples: ['urn:drover:error:invalid_request'],
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'A sentence about this occurrence of the error.' }),
    code: z
      .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
      .meta({ description: 'A stable code on which programs can rely. `/docs/errors` explains each code.' }),
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
      .meta({ description: 'Every invalid field of the request, not only the first.' }),
    ...z.object(MEMBERS).partial().shape,
  })
  .meta({ id: 'Problem' })
