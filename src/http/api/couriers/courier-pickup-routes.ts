import { z } from 'zod'
import { deliverWords, readyWords } from '../../../operations/mail-couriers/courier-note.ts'
import {
  openPickup,
  type Pickup,
  pickupCsv,
  pickupManifest,
} from '../../../operations/mail-couriers/courier-pickup.ts'
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
import { escaped, toPlace } from './courier-page.ts'

const Signed = z.strictObject({ sig: z.string().max(64) })

/** Keeps search engines away from private pages. */
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

/** Capability URL: a courier without an API downloads its work here, by person or by program. */
export function courierPickupEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      url: ADDRESS,
      operationId: 'openCourierPickup',
      summary: 'Open the pickup page of a courier without an API',
      description:
        'The signed URL is the `pickup_url` from `GET /{tenant_id}/carriers/{provider}`. It is valid until the carrier’s `settings.pickup` changes to another number.',
      exampleCall: UNSIGNED,
      answers: {
        200: {
          description: 'An HTML page with the bookings and manifests, and links to download them.',
          media: ['text/html'],
        },
      },
      handle: guarded(async (ask): Promise<HttpResponse> => {
        const html = pickupPage(await openPickup(ask.deps, toPickupLink(ask)), toAddress(ask))
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
    file(
      'bookings.csv',
      'getCourierPickupCsv',
      'Download the courier’s bookings as CSV, one line for each article',
      async (ask) => Buffer.from(await pickupCsv(ask.deps, toPickupLink(ask))),
    ),
    file('manifests/:manifest_id/summary.pdf', 'getCourierManifest', 'Download a manifest as PDF', (ask) =>
      pickupManifest(ask.deps, toPickupLink(ask), ask.params.manifest_id as string, 'pdf'),
    ),
    file(
      'manifests/:manifest_id/articles.csv',
      'getCourierManifestCsv',
      'Download a manifest as CSV',
      (ask) => pickupManifest(ask.deps, toPickupLink(ask), ask.params.manifest_id as string, 'csv'),
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

function toPickupLink({ params, query }: RequestContext): PickupLink {
  const { sig } = query as z.infer<typeof Signed>
  return { accountId: params.account as string, provider: params.provider as string, sig }
}

function toAddress({ params, query }: RequestContext): { path: string; query: string } {
  const { sig } = query as z.infer<typeof Signed>
  const path = `/pickup/${encodeURIComponent(params.account as string)}/${encodeURIComponent(params.provider as string)}`
  return { path, query: new URLSearchParams({ sig }).toString() }
}

/** A courier's work as a page without scripts: a link to each booking's page, and to the files to download. */
function pickupPage(pickup: Pickup, { path, query }: { path: string; query: string }): string {
  const { carrierName, sandbox, bookings, manifests } = pickup
  const file = (name: string) => escaped(`${path}/${name}?${query}`)
  const rows = bookings.map(({ facts, status, address }) => {
    const { consignment, booking } = facts
    const { from, to } = consignment
    return `<tr><td><a href="${escaped(address)}">${escaped(booking.consignmentNumber)}</a></td><td>${toPlace(from)}</td>
<td>${readyWords(facts)}</td><td>${toPlace(to)}</td><td>${deliverWords(facts)}</td><td>${status}</td></tr>`
  })
  const papers = manifests.map(
    ({ id, orderId, deliveries }) =>
      `<li>${escaped(orderId ?? id)}, ${deliveries} consignments: <a href="${file(`manifests/${id}/summary.pdf`)}">PDF</a> <a href="${file(`manifests/${id}/articles.csv`)}">CSV</a></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(carrierName)}</title></head><body>
<h1>${escaped(carrierName)}: ${bookings.length} to collect</h1>
${sandbox ? '<p><strong>Test: do not carry.</strong></p>' : ''}
<p><a href="${file('bookings.csv')}">All as CSV</a></p>
<table><thead><tr><th>Booking</th><th>From</th><th>Ready</th><th>To</th><th>Deliver</th><th>Now</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>
<h2>Manifests</h2>
<ul>${papers.join('')}</ul>
</body></html>
`
}
