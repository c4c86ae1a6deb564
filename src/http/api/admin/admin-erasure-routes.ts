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
    summary: 'Erase the customer of one delivery',
    description:
      'For whoever asks for it before the account’s `retention.delivery_days` are over. Names, numbers, street, goods, free texts, messages, timeline, proofs and documents go at once and cannot be brought back; what figures and invoices need stays. Reading it answers 410 from then on. What a carrier was told is the carrier’s to erase.',
    exampleCall: { path: { delivery_id: '$ERASABLE_ID' } },
    answers: { 204: { description: 'Erased, now or before.' } },
    refusals: ['not_found', 'not_erasable'],
    async handle({ deps, params, audit }) {
      const accountId = params.tenant_id as string
      const entry = deps.accounts.find(accountId)
      if (!entry) throw new Refusal('not_found', `There is no account ${accountId}.`)
      const first = await eraseDelivery(deps, entry, params.delivery_id as string, audit.record)
      if (!first) audit.nothing()
      return { status: 204, body: '' }
    },
  }),
]
