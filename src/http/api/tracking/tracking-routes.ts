import {
  getTrackingLogo,
  photoOfDelivery,
  publicTracking,
} from '../../../operations/deliveries/public-tracking.ts'
import { enumerationGuard } from '../../admission/enumeration-guard.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { toImage } from './image-answer.ts'
import { TrackingAnswer } from './tracking-schema.ts'
import { fromTracking } from './tracking-wire.ts'

/** Keeps search engines away from private pages; the other headers are those of every response. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }
const shared = { access: 'public', tag: 'Tracking', headers, refusals: [] } as const

/** Capability URL: a customer's tracking page, opened by its unguessable URL alone. */
export function trackingEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/track/:token',
      page: 'track',
      operationId: 'track',
      summary: 'Get the tracking page of a delivery',
      description:
        'The URL is the delivery’s `tracking_url`. It works until 30 days after the delivery has ended. The response contains only the data that the customer needs.',
      exampleCall: { path: { token: '$TRACKING_TOKEN' } },
      answers: {
        200: {
          description: 'The current state of the delivery. A browser receives the HTML page.',
          schema: TrackingAnswer,
        },
      },
      handle: guarded(async ({ deps, params }) =>
        json(200, { data: fromTracking(await publicTracking(deps, params.token as string)) }),
      ),
    }),
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/track/:token/photo',
      operationId: 'getTrackingPhoto',
      summary: 'Get the photo of a delivery that was left',
      description:
        'Available only if the parcels were left at the door. Photos of people are never returned.',
      exampleCall: { path: { token: '$TRACKING_TOKEN' } },
      answers: { 200: { description: 'The photo.', media: ['image/jpeg', 'image/png'] } },
      handle: guarded(async ({ deps, params }) =>
        toImage(await photoOfDelivery(deps, params.token as string)),
      ),
    }),
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/track/:token/logo',
      operationId: 'getTrackingLogo',
      summary: 'Get the logo of the brand that delivers',
      description: 'Available if the brand has a logo: `brand.logo` of the tracking page says so.',
      exampleCall: {
        path: { token: '$TRACKING_TOKEN' },
        status: { code: 404, because: 'the demo’s brand has no logo' },
      },
      answers: { 200: { description: 'The logo.', media: ['image/svg+xml', 'image/png'] } },
      handle: guarded(async ({ deps, params }) =>
        toImage(await getTrackingLogo(deps, params.token as string)),
      ),
    }),
  ]
}
