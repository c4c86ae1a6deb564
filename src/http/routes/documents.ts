import { Refusal } from '../../domain/errors.ts'
import type { Caller } from '../../operations/caller.ts'
import { deliveryLabels, type LabelFormat } from '../../operations/delivery-label.ts'
import { type Answer, documentEndpoint, type Endpoint, tenantEndpoint } from '../endpoint.ts'
import { LabelQuery, LabelsBody } from '../schemas/lists.ts'

/** A signature names one document of one delivery; whoever holds it reads that and nothing else. */
const LINK_HOLDER: Caller = {
  clientId: 'signed-link',
  scopes: new Set(['deliveries:read']),
  storeReferences: null,
}

export const DOCUMENT_ENDPOINTS: readonly Endpoint[] = [
  documentEndpoint({
    method: 'GET',
    url: '/:tenant_id/deliveries/:delivery_id_or_reference/label',
    operationId: 'getLabel',
    access: 'document',
    tag: 'Documents',
    summary: 'The shipping label',
    description: 'One page for each unit. Opened by a bearer, or by the `exp` and `sig` of a `label_url`.',
    query: LabelQuery,
    answers: {
      200: { description: 'The label as PDF (or ZPL text).', media: ['application/pdf', 'text/plain'] },
    },
    refusals: ['ambiguous_reference', 'label_not_available', 'invalid_signature'],
    async handle({ deps, entry, caller, params, query }) {
      const names = [params.delivery_id_or_reference as string]
      const format = query.format ?? 'pdf'
      const store = query.store_reference ?? null
      return labelAnswer(
        await deliveryLabels(deps, entry, caller ?? LINK_HOLDER, names, format, store),
        format,
      )
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/labels',
    operationId: 'getLabels',
    access: 'deliveries:read',
    tag: 'Documents',
    summary: 'The labels of many deliveries in one document',
    body: LabelsBody,
    answers: {
      200: { description: 'All labels in the order asked.', media: ['application/pdf', 'text/plain'] },
    },
    refusals: ['ambiguous_reference', 'label_not_available'],
    idempotency: 'none',
    async handle({ deps, entry, caller, body }) {
      const names = [...(body.delivery_ids ?? []), ...(body.delivery_references ?? [])]
      if (names.length === 0) throw NO_NAMES()
      const format = body.format ?? 'pdf'
      const store = body.store_reference ?? null
      return labelAnswer(await deliveryLabels(deps, entry, caller, names, format, store), format)
    },
  }),
]

const NO_NAMES = () => {
  const message = 'Name the deliveries: give delivery_ids or delivery_references.'
  return new Refusal('invalid_request', message, {
    issues: [{ field: 'delivery_ids', issue: 'required', message }],
  })
}

function labelAnswer(document: Buffer, format: LabelFormat): Answer {
  const headers = {
    'content-type': format === 'pdf' ? 'application/pdf' : 'text/plain; charset=utf-8',
    'content-disposition': `inline; filename="label.${format}"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
  return { status: 200, headers, body: document }
}
