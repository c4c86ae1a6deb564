import { z } from 'zod'
import { COURIER_STEP_NAMES } from '../../../domain/delivery/courier-steps.ts'
import { courierNotePdf, courierNotesCsv } from '../../../operations/mail-couriers/courier-note.ts'
import {
  type CourierLink,
  openCourierLink,
  reportByLink,
} from '../../../operations/mail-couriers/open-courier-link.ts'
import { enumerationGuard } from '../../admission/enumeration-guard.ts'
import type { Endpoint, ExampleCall, RequestContext } from '../../contract/endpoint.ts'
import { openEndpoint } from '../../contract/endpoint.ts'
import { documentAnswer } from '../documents/document-answer.ts'
import { freeText } from '../fields/text.ts'
import { courierPage } from './courier-page.ts'

const Signed = z.strictObject({
  exp: z.string().max(12).meta({ description: 'Until when, in seconds since 1970.' }),
  sig: z.string().max(64),
})
const SaidBody = z
  .strictObject({ status: z.enum(COURIER_STEP_NAMES), note: freeText(200).optional() })
  .meta({ id: 'CourierReport' })

/** Keeps search engines away from private pages. Forms submit to the page that they came from. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }
export const PAPER_PAGE_POLICY =
  "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const shared = { access: 'public', tag: 'Carriers', headers, refusals: [], query: Signed } as const
const SAID = '<!doctype html><title>Thank you</title><p>Thank you.'
const ADDRESS = '/courier/:account/:booking'

const UNSIGNED: ExampleCall = {
  query: 'exp=2524608000&sig=of-the-mail',
  status: { code: 404, because: 'the signature is in an email, and the demo’s couriers read no email' },
}

/** Capability URL: the pages behind the link in a courier's email, for couriers without an API. */
export function courierLinkEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      method: 'GET',
      url: ADDRESS,
      operationId: 'openCourierLink',
      summary: 'Open the booking page of a courier without an API',
      description:
        'The booking email to the courier contains the signed URL. It is valid until 14 days after the delivery window.',
      exampleCall: UNSIGNED,
      answers: {
        200: {
          description: 'An HTML page with the booking and a form to report its status.',
          media: ['text/html'],
        },
      },
      handle: guarded(async (ask) => {
        const opened = await openCourierLink(ask.deps, toCourierLink(ask))
        const html = courierPage(opened, toAddress(ask))
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
    openEndpoint({
      ...shared,
      method: 'POST',
      url: ADDRESS,
      operationId: 'reportByCourierLink',
      unaudited: 'Every carrier update is stored unchanged with its delivery.',
      summary: 'Report a status from the booking page',
      body: SaidBody,
      bodyForm: 'form',
      example: { status: 'delivered', note: 'Signed by Ana.' },
      exampleCall: UNSIGNED,
      answers: {
        303: {
          description: 'The status is recorded. The browser returns to the page.',
          media: ['text/html'],
        },
      },
      refusals: ['carrier_reports_itself'],
      handle: guarded(async (ask) => {
        const { status, note } = ask.body as z.infer<typeof SaidBody>
        await reportByLink(ask.deps, toCourierLink(ask), {
          step: status,
          atMs: null,
          note: note?.trim() || null,
        })
        const { path, query } = toAddress(ask)
        return {
          status: 303,
          headers: { 'content-type': 'text/html; charset=utf-8', location: `${path}?${query}` },
          body: SAID,
        }
      }),
    }),
    paper('pdf', 'getCourierPaper', 'The booking as a paper', 'application/pdf', async (ask) =>
      courierNotePdf((await openCourierLink(ask.deps, toCourierLink(ask))).facts),
    ),
    paper('csv', 'getCourierCsv', 'The booking as CSV', 'text/csv', async (ask) =>
      Buffer.from(courierNotesCsv([(await openCourierLink(ask.deps, toCourierLink(ask))).facts])),
    ),
  ]

  function paper(
    kind: 'pdf' | 'csv',
    operationId: string,
    summary: string,
    media: string,
    bytesOf: (ask: RequestContext) => Promise<Buffer>,
  ): Endpoint {
    return openEndpoint({
      ...shared,
      method: 'GET',
      url: `${ADDRESS}/booking.${kind}`,
      operationId,
      summary,
      exampleCall: UNSIGNED,
      answers: { 200: { description: 'The document.', media: [media] } },
      handle: guarded(async (ask) => documentAnswer(media, `booking.${kind}`, await bytesOf(ask))),
    })
  }
}

function toCourierLink({ params, query }: RequestContext): CourierLink {
  const { exp, sig } = query as z.infer<typeof Signed>
  return { accountId: params.account as string, key: params.booking as string, exp, sig }
}

function toAddress({ params, query }: RequestContext): { path: string; query: string } {
  const { exp, sig } = query as z.infer<typeof Signed>
  const path = `/courier/${encodeURIComponent(params.account as string)}/${encodeURIComponent(params.booking as string)}`
  return { path, query: new URLSearchParams({ exp, sig }).toString() }
}
