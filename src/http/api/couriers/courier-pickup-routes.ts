import { z } from 'zod'
import { openPickup, pickupCsv, pickupManifest } from '../../../operations/mail-couriers/courier-pickup.ts'
import type { PickupLink } from '../../../operations/tokens/courier-link.ts'
import { enumerationGuard } from '../../admission/enumeration-guard.ts'
import {
  type Endpoint,
  type ExampleCall,
  type HttpResponse,
  openEndpoint,
  type RequestContext,
} from '../../contract/endpoint.ts'
import { documentAnswer } from '../documents/document-answer.ts'
import { PAPER_PAGE_POLICY } from './courier-links-routes.ts'
import { pickupPage } from './pickup-page.ts'

const Signed = z.strictObject({ sig: z.string().max(64) })

/** No search engine keeps what is private. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }
const shared = {
  method: 'GET',
  access: 'public',
  tag: 'Carriers',
  headers,
  refusals: [],
  query: Signed,
} as const
const ADDRESS = '/pickup/:account/:provider'

const UNSIGNED: ExampleCall = {
  query: 'sig=of-the-address',
  status: {
    code: 404,
    because: 'the signature is in `pickup_url`, and no courier in the demo fetches its work',
  },
}

/** What a courier without an interface fetches, by people or by a machine, at an address of his own. */
export function courierPickupEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      url: ADDRESS,
      operationId: 'openCourierPickup',
      summary: 'What a courier has to carry',
      description:
        'The address is the `pickup_url` of `GET /{tenant_id}/carriers/{provider}`. It is good until `settings.pickup` of the carrier is another number.',
      exampleCall: UNSIGNED,
      answers: {
        200: {
          description: 'A page with the bookings and manifests, and where to fetch them.',
          media: ['text/html'],
        },
      },
      handle: guarded(async (ask): Promise<HttpResponse> => {
        const html = pickupPage(await openPickup(ask.deps, linkOf(ask)), addressOf(ask))
        return {
          status: 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': PAPER_PAGE_POLICY,
          },
          body: html,
        }
      }),
    }),
    file('bookings.csv', 'getCourierPickupCsv', 'All of it as CSV, a line for each article', async (ask) =>
      Buffer.from(await pickupCsv(ask.deps, linkOf(ask))),
    ),
    file('manifests/:manifest_id/summary.pdf', 'getCourierManifest', 'A manifest as a paper', (ask) =>
      pickupManifest(ask.deps, linkOf(ask), ask.params.manifest_id as string, 'pdf'),
    ),
    file('manifests/:manifest_id/articles.csv', 'getCourierManifestCsv', 'A manifest as CSV', (ask) =>
      pickupManifest(ask.deps, linkOf(ask), ask.params.manifest_id as string, 'csv'),
    ),
  ]

  function file(
    path: string,
    operationId: string,
    summary: string,
    bytesOf: (ask: RequestContext) => Promise<Buffer>,
  ): Endpoint {
    const media = path.endsWith('.pdf') ? 'application/pdf' : 'text/csv'
    const name = path.split('/').at(-1) as string
    return openEndpoint({
      ...shared,
      url: `${ADDRESS}/${path}`,
      operationId,
      summary,
      exampleCall: UNSIGNED,
      answers: { 200: { description: 'The document.', media: [media] } },
      handle: guarded(async (ask) => documentAnswer(media, name, await bytesOf(ask))),
    })
  }
}

function linkOf({ params, query }: RequestContext): PickupLink {
  const { sig } = query as z.infer<typeof Signed>
  return { accountId: params.account as string, provider: params.provider as string, sig }
}

function addressOf({ params, query }: RequestContext): { path: string; query: string } {
  const { sig } = query as z.infer<typeof Signed>
  const path = `/pickup/${encodeURIComponent(params.account as string)}/${encodeURIComponent(params.provider as string)}`
  return { path, query: new URLSearchParams({ sig }).toString() }
}
