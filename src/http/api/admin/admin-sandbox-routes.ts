import { readSandboxLedger } from '../../../operations/carriers/read-sandbox-ledger.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { LedgerQuery } from '../deliveries/lists-schema.ts'
import { LedgerAnswer } from './admin-schema.ts'

export const SANDBOX_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'GET',
    url: '/admin/accounts/:tenant_id/sandbox/ledger',
    operationId: 'readSandboxLedger',
    access: 'operator',
    tag: 'Accounts',
    summary: 'List the sandbox carriers’ ledger',
    query: LedgerQuery,
    answers: {
      200: {
        description:
          'The requests that the sandbox carriers received and their outcomes, oldest first. The ledger is append-only.',
        schema: LedgerAnswer,
      },
    },
    refusals: ['not_found'],
    async handle({ deps, params, query }) {
      const { entries, next } = await readSandboxLedger(deps, params.tenant_id as string, {
        reference: query.reference ?? null,
        after: query.after ?? 0,
        limit: query.limit ?? 1_000,
      })
      const data = entries.map((entry) => ({
        at: recordTime(entry.atMs),
        carrier: entry.carrier,
        operation: entry.operation,
        reference: entry.reference,
        idempotency_key: entry.idempotencyKey ?? undefined,
        outcome: entry.outcome,
        consignment_number: entry.consignmentNumber ?? undefined,
      }))
      return json(200, { data, pagination: { next, has_more: next !== null } })
    },
  }),
]
