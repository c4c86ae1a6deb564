import { z } from 'zod'
import { refuse } from '../../../domain/refuse.ts'
import { readRateCard } from '../../../operations/accounts/rate-cards.ts'
import { CSV_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { referenceText } from '../fields/text.ts'

const Sample = z
  .strictObject({
    post_code: z.string(),
    zone: z.string().meta({ description: 'A zone of the new price list.' }),
    weight_kg: z.number(),
    before_cents: z
      .int()
      .nullable()
      .meta({ description: 'The current price. `null`: the current prices do not cover this consignment.' }),
    after_cents: z.int().nullable(),
  })
  .meta({ id: 'RateCardSample' })

const ReadAnswer = z
  .strictObject({
    data: z.strictObject({
      rate_card: z.record(z.string(), z.unknown()).meta({
        description: 'The value for the service’s `rate_card` in the account document.',
      }),
      samples: z.array(Sample).meta({
        description: 'The prices of three sample consignments, now and with this price list.',
      }),
    }),
  })
  .meta({ id: 'RateCardAnswer' })

/** An owner's price list becomes part of the account document like any other change: read here, applied there. */
export const RATE_CARD_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/admin/accounts/:tenant_id/rate-card',
    operationId: 'readRateCard',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Read a price list from a CSV or Excel file',
    description:
      'The request changes nothing: to use the price list, put `rate_card` from the response into the account document. Columns: `kind`, `zone`, `postcodes`, `up_to_kg`, `price`, `per_extra_kg`, `name`, `when`, `percent`, in any order. Kinds of rows: `zone`, `rate`, `surcharge`. Drover recognises an Excel workbook (.xlsx) by its content.',
    query: z.strictObject({ provider: referenceText(60), service: referenceText(60) }),
    bodyForm: 'raw',
    bodyLimit: CSV_BODY,
    rawMedia: 'text/csv',
    example:
      'kind,zone,postcodes,up_to_kg,price\nzone,metro,3000-3207,,\nrate,metro,,5,9.50\nrate,metro,,22,14.50\n',
    exampleCall: { query: 'provider=swiftly&service=NOW' },
    idempotency: 'none',
    unaudited: 'Changes nothing.',
    answers: {
      200: {
        description: 'The price list, and the prices of three sample consignments.',
        schema: ReadAnswer,
      },
    },
    refusals: ['not_found', 'payload_too_large'],
    async handle({ deps, params, query, body }) {
      const named = { accountId: params.tenant_id as string, ...query }
      const read = await readRateCard(deps, named, (body as Buffer | undefined) ?? Buffer.alloc(0))
      if ('mistakes' in read)
        return refuse(
          read.mistakes.map(({ row, column, message }) => ({
            field: column === '' ? `row ${row}` : `row ${row}, ${column}`,
            issue: 'invalid_value',
            message,
          })),
        )
      const samples = read.after.map(({ postCode, zone, kg, cents }, index) => ({
        post_code: postCode,
        zone,
        weight_kg: kg,
        before_cents: read.before[index]?.cents ?? null,
        after_cents: cents,
      }))
      return json(200, { data: { rate_card: read.card, samples } })
    },
  }),
]
