import { Refusal } from '../../../domain/errors.ts'
import { eraseDelivery } from '../../../operations/deliveries/erase-delivery.ts'
import { type Endpoint, openEndpoint } from '../../contract/endpoint.ts'

export const ERASURE_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'DELETE',
    url: '/admin/accounts/:tenant_id/deliveries/:delivery_id',
    operationId: 'eraseDelivery',
    access: 'operator',
    tag: 'Accounts',
    summary: 'Erase the customer data of a delivery',
    description:
      'Erases one customer’s data on request, before the account’s `retention.delivery_days` have passed. Drover deletes names, phone numbers, street addresses, goods, free text, messages, timeline, proofs and documents at once and permanently. The data for reports and invoices remains. Later requests for the delivery return 410. Drover cannot erase the data that a carrier received.',
    exampleCall: { path: { delivery_id: '$ERASABLE_ID' } },
    answers: { 204: { description: 'The customer data is erased, now or by an earlier request.' } },
    refusals: ['not_found', 'not_erasable'],
    async handle({ deps, params, audit }) {
      const accountId = params.tenant_id as string
      const entry = await deps.accounts.find(accountId)
      if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
      const first = await eraseDelivery(deps, entry, params.delivery_id as string, audit.record)
      if (!first) audit.nothing()
      return { status: 204, body: '' }
    },
  }),
]
