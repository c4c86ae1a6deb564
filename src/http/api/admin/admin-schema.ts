import { z } from 'zod'
import { SCOPES } from '../../../operations/directory/caller.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { spentTodayCents } from '../fields/spent-today.ts'
import { lineText, recordTime, referenceText, requestTime } from '../fields/text.ts'
import { ownCredentials } from '../people/people-schema.ts'

export const AccountsAnswer = makeListSchema(
  z.strictObject({
    tenant_id: z.string(),
    name: z.string(),
    mode: z.enum(['sandbox', 'live']),
    version: z.int(),
    stores: z.int(),
    now: recordTime.meta({
      description: 'The account’s own time, which differs from real time if a test clock is set.',
    }),
  }),
).meta({ id: 'AccountsAnswer' })

/** Any object: its own validator checks it, against the JSON Schema that is published with the project. */
export const AccountDocumentBody = z.looseObject({ tenant_id: z.string() }).meta({
  id: 'AccountDocument',
  description:
    'The whole configuration of the account. GET returns the document in the form that PUT accepts.',
})

export const ApplyQuery = z.strictObject({
  dry_run: z.boolean().optional().meta({ description: 'Returns the changes without applying them.' }),
  expect_version: z.int().min(0).optional().meta({
    description:
      'Rejects the request with `version_conflict` unless this is the current version. 0 means that the account does not exist yet.',
  }),
})

export const ApplyAnswer = z
  .strictObject({
    data: z.strictObject({
      version: z.int(),
      changed: z.boolean(),
      dry_run: z.boolean(),
      warnings: z.array(z.strictObject({ field: z.string(), message: z.string() })).meta({
        description:
          'Values that Drover accepts but that are probably wrong, such as a store far from its postcode.',
      }),
      plan: z.array(
        z.strictObject({
          action: z.enum(['add', 'change', 'remove']),
          kind: z.string(),
          name: z.string(),
          changes: z.array(
            z.strictObject({ field: z.string(), from: z.unknown().optional(), to: z.unknown().optional() }),
          ),
        }),
      ),
    }),
  })
  .meta({ id: 'ApplyAnswer' })

export const ClientBody = z
  .strictObject({
    name: lineText(100).meta({ examples: ['Webshop'] }),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
    store_references: z
      .array(referenceText())
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'The stores that the client may see. Absent: all stores.' }),
    ...ownCredentials,
  })
  .meta({ id: 'ClientRequest' })

export const CreatedClientAnswer = z
  .strictObject({
    data: z.strictObject({
      client_id: z.string(),
      client_secret: z.string().meta({ description: 'Returned only in this response.' }),
    }),
  })
  .meta({ id: 'CreatedClientAnswer' })

export const ClientsAnswer = makeListSchema(
  z.strictObject({
    client_id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    store_references: z.array(z.string()).nullable(),
    owner: z.strictObject({ id: z.string(), name: z.string() }).nullable().meta({
      description:
        'The user who created the client or took it over. Drover revokes the client when its owner is disabled or becomes a clerk. Null: no owner.',
    }),
    created_at: recordTime,
    last_used_at: recordTime.optional().meta({
      description: 'When the client last requested or used a token, to the minute. Absent: never.',
    }),
    mcp_spent_today_cents: spentTodayCents,
  }),
).meta({ id: 'ClientsAnswer' })

export const ClockBody = z
  .strictObject({ now: requestTime.nullable() })
  .meta({ id: 'ClockRequest', description: 'If `now` is null, Drover removes the test clock.' })

export const ClockAnswer = z
  .strictObject({ data: z.strictObject({ now: recordTime, offset_ms: z.int() }) })
  .meta({ id: 'ClockAnswer' })

export const FirstLabelAnswer = z
  .strictObject({ data: z.strictObject({ fetched_at: recordTime.optional() }) })
  .meta({ id: 'FirstLabelAnswer' })

export const LedgerAnswer = z
  .strictObject({
    data: z.array(
      z.strictObject({
        at: recordTime,
        carrier: z.string(),
        operation: z.string(),
        reference: z.string(),
        idempotency_key: z.string().optional(),
        outcome: z.string(),
        consignment_number: z.string().optional(),
      }),
    ),
    pagination: z.strictObject({ next: z.int().nullable(), has_more: z.boolean() }),
  })
  .meta({ id: 'LedgerAnswer' })

export const VersionsAnswer = makeListSchema(
  z.strictObject({ version: z.int(), applied_at: recordTime, applied_by: z.string() }),
).meta({ id: 'VersionsAnswer' })

export const SecretBody = z
  .strictObject({ secret: z.string().min(1).max(10_000) })
  .meta({ id: 'SecretRequest', description: 'Stored encrypted and never returned.' })

export const SecretsAnswer = makeListSchema(
  z.strictObject({
    name: z.string(),
    updated_at: recordTime,
    stored_by: z
      .string()
      .optional()
      .describe(
        'The person or API client that stored the credential. Absent: the credential was stored with the operator’s token or on the command line, or Drover does not know by whom.',
      ),
  }),
).meta({
  id: 'SecretsAnswer',
})
