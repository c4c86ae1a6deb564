import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import type { LabelFormat } from '../../../domain/values.ts'
import type { Caller } from '../../../operations/directory/caller.ts'
import { orderSummary } from '../../../operations/manifests/order-summary.ts'
import { deliveryDeclaration } from '../../../operations/paperwork/delivery-declaration.ts'
import { deliveryLabels } from '../../../operations/paperwork/delivery-label.ts'
import { deliveryProof } from '../../../operations/paperwork/delivery-proof.ts'
import { recordLabel } from '../../../operations/paperwork/first-label.ts'
import { REFERENCES_BODY } from '../../contract/body-limit.ts'
import { packedFor } from '../../contract/encodings.ts'
import {
  documentEndpoint,
  type Endpoint,
  type HttpResponse,
  tenantEndpoint,
} from '../../contract/endpoint.ts'
import { LabelQuery, LabelsBody, NamedQuery } from '../deliveries/lists-schema.ts'

/** The query of a signed URL, which opens the order summary without a bearer token. */
const SignedQuery = z.strictObject({
  exp: z.string().max(20).optional().meta({
    description:
      'The expiry of a signed URL. Together with `sig` it opens the document without a bearer token.',
  }),
  sig: z.string().max(100).optional(),
})

/** The same for a delivery's declaration, with the store if two stores use the reference. */
const DeclarationQuery = NamedQuery.extend(SignedQuery.shape)

const ProofQuery = DeclarationQuery.extend({ format: z.enum(['pdf', 'image', 'failed']).optional() })

/** Capability URL: a signature covers one document of one delivery. Its holder can read that document only. */
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
    summary: 'Get the shipping label',
    description:
      'Returns one page for each unit, as PDF unless `format` is `zpl`, whatever the format of the store (`Store.labels`). Needs a bearer token, or the `exp` and `sig` of a `label_url`.',
    query: LabelQuery,
    exampleCall: { path: { delivery_id_or_reference: '$BOOKED_ID' } },
    answers: {
      200: { description: 'The label as PDF or as ZPL text.', media: ['application/pdf', 'text/plain'] },
    },
    refusals: ['ambiguous_reference', 'label_not_available', 'invalid_signature', 'link_expired'],
    async handle({ deps, entry, caller, params, query, request }) {
      const names = [params.delivery_id_or_reference as string]
      const format = query.format ?? 'pdf'
      const options = { storeReference: query.store_reference ?? null }
      const { document } = await deliveryLabels(deps, entry, caller ?? LINK_HOLDER, names, format, options)
      await recordLabel(deps, entry.account.id)
      return labelAnswer(document, format, request)
    },
  }),
  documentEndpoint({
    method: 'GET',
    url: '/:tenant_id/deliveries/:delivery_id_or_reference/label/dgd',
    operationId: 'getDangerousGoodsDeclaration',
    access: 'document',
    tag: 'Documents',
    summary: 'Get the dangerous goods declaration',
    description: 'Needs a bearer token, or the `exp` and `sig` of a `dangerous_goods_form_url`.',
    query: DeclarationQuery,
    exampleCall: { path: { delivery_id_or_reference: '$DANGEROUS_ID' } },
    answers: { 200: { description: 'The declaration as PDF.', media: ['application/pdf'] } },
    refusals: [
      'ambiguous_reference',
      'no_declaration',
      'declaration_not_available',
      'invalid_signature',
      'link_expired',
    ],
    async handle({ deps, entry, caller, params, query, request }) {
      const name = {
        idOrReference: params.delivery_id_or_reference as string,
        storeReference: query.store_reference ?? null,
      }
      const pdf = await deliveryDeclaration(deps, entry, caller ?? LINK_HOLDER, name)
      return documentAnswer(request, pdf, 'application/pdf', 'dangerous-goods-declaration.pdf')
    },
  }),
  documentEndpoint({
    method: 'GET',
    url: '/:tenant_id/deliveries/:delivery_id_or_reference/proof',
    operationId: 'getProofOfDelivery',
    access: 'document',
    tag: 'Documents',
    summary: 'Get the proof of delivery of a staff courier or a courier network',
    description:
      'Returns a PDF with the photo or signature. `format=image` returns the photo, without its location and device data. `format=failed` returns the newest photo from a courier who could not deliver. Needs a bearer token or, except for `format=failed`, the `exp` and `sig` of a `proof_url`.',
    query: ProofQuery,
    exampleCall: { path: { delivery_id_or_reference: '$PROVED_ID' } },
    answers: {
      200: {
        description: 'The proof as PDF, or the image.',
        media: ['application/pdf', 'image/jpeg', 'image/png'],
      },
    },
    refusals: ['ambiguous_reference', 'proof_not_available', 'invalid_signature', 'link_expired'],
    async handle({ deps, entry, caller, params, query, request }) {
      const name = {
        idOrReference: params.delivery_id_or_reference as string,
        storeReference: query.store_reference ?? null,
      }
      const format = query.format ?? 'pdf'
      if (caller === null && format === 'failed') throw anotherDocument()
      const proof = await deliveryProof(deps, entry, caller ?? LINK_HOLDER, name, format)
      return documentAnswer(request, proof.bytes, proof.mediaType, proof.name)
    },
  }),
  documentEndpoint({
    method: 'GET',
    url: '/:tenant_id/manifests/:manifest_id/order-summary',
    operationId: 'getOrderSummary',
    access: 'document',
    tag: 'Documents',
    summary: 'Get the order summary of a manifest',
    description:
      'Returns the summary by which the driver counts the parcels and which the store and the driver sign. Needs a bearer token, or the `exp` and `sig` of an `order_summary_url`.',
    query: SignedQuery,
    answers: { 200: { description: 'The summary as PDF.', media: ['application/pdf'] } },
    refusals: ['invalid_signature', 'link_expired'],
    async handle({ deps, entry, caller, params, request }) {
      const pdf = await orderSummary(deps, entry, caller ?? LINK_HOLDER, params.manifest_id as string)
      return documentAnswer(request, pdf, 'application/pdf', 'order-summary.pdf')
    },
  }),
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/labels',
    operationId: 'getLabels',
    access: 'deliveries:read',
    tag: 'Documents',
    summary: 'Get the labels of several deliveries in one document',
    body: LabelsBody,
    bodyLimit: REFERENCES_BODY,
    example: { delivery_ids: ['$BOOKED_ID', '$DANGEROUS_ID'] },
    answers: {
      200: {
        description: 'All labels, in the order of the request.',
        media: ['application/pdf', 'text/plain'],
        headers: ['LabelsLeftOut', 'LabelsLeftOutCount'],
      },
    },
    refusals: ['ambiguous_reference', 'label_not_available'],
    idempotency: 'none',
    async handle({ deps, entry, caller, body, request }) {
      const names = [...(body.delivery_ids ?? []), ...(body.delivery_references ?? [])]
      if (names.length === 0) throw NO_NAMES()
      const format = body.format ?? 'pdf'
      const store = body.store_reference ?? null
      const field = body.delivery_ids ? 'delivery_ids' : 'delivery_references'
      const options = { storeReference: store, skipUnavailable: body.skip_unavailable ?? false, field }
      const { document, leftOut } = await deliveryLabels(deps, entry, caller, names, format, options)
      await recordLabel(deps, entry.account.id)
      const answer = await labelAnswer(document, format, request)
      if (leftOut.length === 0) return answer
      return { ...answer, headers: { ...answer.headers, ...toLeftOutHeaders(leftOut) } }
    },
  }),
]

/**
 * Proxies reject large response headers: nginx has 4 or 8 kB for all of them (`proxy_buffer_size`). The ids of 50
 * deliveries take 1.6 kB; a request can name 400.
 */
const MAX_LEFT_OUT_IDS = 50

function toLeftOutHeaders(ids: readonly string[]): Record<string, string> {
  return {
    'labels-left-out': ids.slice(0, MAX_LEFT_OUT_IDS).join(', '),
    'labels-left-out-count': String(ids.length),
  }
}

/** A signature covers every format of the proof, but not the photo of a failed attempt, which is another document. */
function anotherDocument(): Refusal {
  return new Refusal(
    'invalid_signature',
    'This link opens only the proof: `format=failed` needs a bearer token.',
  )
}

const NO_NAMES = () => {
  const message = 'Name the deliveries: send delivery_ids or delivery_references.'
  return new Refusal('invalid_request', message, {
    issues: [{ field: 'delivery_ids', issue: 'required', message }],
  })
}

function labelAnswer(document: Buffer, format: LabelFormat, request: FastifyRequest): Promise<HttpResponse> {
  const type = format === 'pdf' ? 'application/pdf' : 'text/plain; charset=utf-8'
  return documentAnswer(request, document, type, `label.${format}`)
}

/** Types that a browser displays, so that clerks print a label from its tab. Other types download for another program. */
const SHOWN: readonly string[] = ['application/pdf', 'image/jpeg', 'image/png']

function documentAnswer(
  request: FastifyRequest,
  document: Buffer,
  type: string,
  name: string,
): Promise<HttpResponse> {
  const headers = {
    'content-type': type,
    'content-disposition': `${SHOWN.includes(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
  return packedFor(request, { status: 200, headers, body: document })
}
