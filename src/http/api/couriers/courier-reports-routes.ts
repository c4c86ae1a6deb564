import { z } from 'zod'
import { parseTimestamp, toInstantMs } from '../../../domain/calendar/timestamp.ts'
import { COURIER_STEP_NAMES } from '../../../domain/delivery/courier-steps.ts'
import { getDeliveryRow } from '../../../operations/delivery-lookup/get-delivery.ts'
import { importStatusList } from '../../../operations/mail-couriers/import-status-list.ts'
import { reportByHand } from '../../../operations/mail-couriers/report-by-hand.ts'
import { CSV_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { deliveryData } from '../deliveries/delivery-answer.ts'
import { DeliveryAnswer } from '../deliveries/delivery-schema.ts'
import { NamedQuery } from '../deliveries/lists-schema.ts'
import { freeText, requestTime } from '../fields/text.ts'

const ReportBody = z
  .strictObject({
    status: z.enum(COURIER_STEP_NAMES),
    at: requestTime.optional().meta({ description: 'The time of the status. Absent: now.' }),
    note: freeText(200).optional(),
  })
  .meta({ id: 'CarrierStatusReport' })

const ListAnswer = z
  .strictObject({
    data: z.strictObject({
      accepted: z.int(),
      errors: z.array(
        z.strictObject({
          row: z.int().meta({ description: 'The row number, as in a spreadsheet: the header is row 1.' }),
          column: z.string(),
          message: z.string(),
        }),
      ),
    }),
  })
  .meta({ id: 'CarrierStatusListAnswer' })

/** Manual status reports for deliveries whose courier has no API. */
export const COURIER_REPORT_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/:delivery_id_or_reference/carrier-status',
    operationId: 'reportCarrierStatus',
    access: 'deliveries:write',
    tag: 'Carriers',
    summary: 'Report a status for a courier without an API',
    description:
      'Handled like an update from any carrier. Reports are ordered by their own time, not by arrival. A delivery that has ended does not change. A repeated report changes nothing.',
    query: NamedQuery,
    body: ReportBody,
    example: { status: 'delivered', at: '2026-11-24T15:05:00+11:00', note: 'Signed by Ana.' },
    exampleCall: { status: { code: 409, because: 'the demo’s carriers report by themselves' } },
    answers: { 200: { description: 'The delivery after the report.', schema: DeliveryAnswer } },
    refusals: ['ambiguous_reference', 'carrier_reports_itself'],
    async handle({ deps, entry, caller, params, query, body }) {
      const row = await getDeliveryRow(deps, entry, caller, {
        idOrReference: params.delivery_id_or_reference as string,
        storeReference: query.store_reference ?? null,
      })
      const time = body.at === undefined ? null : parseTimestamp(body.at)
      const zone = entry.account.storeById.get(row.store_id)?.zone ?? entry.account.zone
      const report = { step: body.status, atMs: time && toInstantMs(time, zone), note: body.note ?? null }
      const delivery = await reportByHand(deps, entry, row, report, 'clerk')
      return json(200, { data: await deliveryData(deps, entry, delivery) })
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/carriers/:provider/statuses',
    operationId: 'reportCarrierStatuses',
    access: 'deliveries:write',
    tag: 'Carriers',
    summary: 'Import statuses from a courier’s CSV or Excel file',
    description:
      'One row names the columns `consignment_number`, `status`, `at` and `note` in any order. There may be a title above it. Drover ignores other columns. `at` and `note` are optional. CSV may have commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252; an Excel workbook (.xlsx) is recognised by its content. Drover accepts the valid lines and returns the invalid ones.',
    bodyForm: 'raw',
    bodyLimit: CSV_BODY,
    rawMedia: 'text/csv',
    example: 'consignment_number,status,at,note\nBOB-1,delivered,2026-11-24T15:05:00+11:00,Signed by Ana.\n',
    exampleCall: { status: { code: 409, because: 'the demo’s carriers report by themselves' } },
    answers: {
      200: {
        description: 'The number of accepted lines, and each line that was not accepted.',
        schema: ListAnswer,
      },
    },
    refusals: ['carrier_reports_itself', 'payload_too_large'],
    async handle({ deps, entry, caller, params, body }) {
      const file = (body as Buffer | undefined) ?? Buffer.alloc(0)
      return json(200, { data: await importStatusList(deps, entry, caller, params.provider as string, file) })
    },
  }),
]
