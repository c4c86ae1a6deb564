import { z } from 'zod'
import { refuse } from '../../../domain/refuse.ts'
import { readLogoFile, toLogoUrl } from '../../../operations/accounts/logos.ts'
import { CSV_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'

const LogoAnswer = z
  .strictObject({
    data: z.strictObject({
      logo: z.string().meta({ description: 'The value for a brand’s `logo` in the account document.' }),
      width: z.number().meta({ description: 'The file’s width in pixels.' }),
      height: z.number(),
      removed: z.array(z.string()).meta({
        description:
          'The parts that Drover removed from an SVG because they do more than draw, such as `<script>`.',
      }),
    }),
  })
  .meta({ id: 'LogoAnswer' })

/** A logo becomes part of the account document like any other change: read here, applied there. */
export const LOGO_ENDPOINTS: readonly Endpoint[] = [
  openEndpoint({
    method: 'POST',
    url: '/admin/accounts/:tenant_id/logo',
    operationId: 'readLogo',
    access: 'operator',
    alsoAdmin: true,
    tag: 'Accounts',
    summary: 'Read a logo from a PNG or SVG file',
    description:
      'The request changes nothing: to use the logo, put `logo` from the response into a brand of the account document. Drover keeps only the parts of an SVG that draw, and removes scripts, event handlers, styles, pictures and references to other files. Drover recognises a PNG by its content. A PNG can have up to 2,000 × 2,000 pixels. The logo can have at most 48 KiB.',
    bodyForm: 'raw',
    bodyLimit: CSV_BODY,
    rawMedia: 'image/svg+xml',
    example:
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" fill="#17513f"/></svg>',
    idempotency: 'none',
    unaudited: 'Changes nothing.',
    answers: { 200: { description: 'The logo, ready for the account document.', schema: LogoAnswer } },
    refusals: ['payload_too_large'],
    handle({ body }) {
      const logo = readLogoFile((body as Buffer | undefined) ?? Buffer.alloc(0))
      if ('wrong' in logo) return refuse([{ field: 'logo', issue: 'invalid_value', message: logo.wrong }])
      const { width, height, removed } = logo
      return json(200, { data: { logo: toLogoUrl(logo), width, height, removed } })
    },
  }),
]
