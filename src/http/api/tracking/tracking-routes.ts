import { photoOfDelivery, publicTracking } from '../../../operations/deliveries/public-tracking.ts'
import { enumerationGuard } from '../../admission/enumeration-guard.ts'
import { type Endpoint, json, openEndpoint } from '../../contract/endpoint.ts'
import { TrackingAnswer } from './tracking-schema.ts'
import { fromTracking } from './tracking-wire.ts'

/** No search engine keeps what is private; the rest of the headers is every answer's. */
const headers = { 'x-robots-tag': 'noindex, nofollow' }
const shared = { access: 'public', tag: 'Tracking', headers, refusals: [] } as const

/** What a customer sees of a delivery, with nothing but its unguessable address. */
export function trackingEndpoints(): Endpoint[] {
  const guarded = enumerationGuard()
  return [
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/track/:token',
      page: 'track',
      operationId: 'track',
      summary: 'Where a delivery is, for its customer',
      description:
        'The address is the delivery’s `tracking_url`; it works until 30 days after the end. It tells what a customer needs and nothing else.',
      exampleCall: { path: { token: '$TRACKING_TOKEN' } },
      answers: { 200: { description: 'As it stands; a browser gets the page.', schema: TrackingAnswer } },
      handle: guarded(async ({ deps, params }) =>
        json(200, { data: fromTracking(await publicTracking(deps, params.token as string)) }),
      ),
    }),
    openEndpoint({
      ...shared,
      method: 'GET',
      url: '/track/:token/photo',
      operationId: 'getTrackingPhoto',
      summary: 'The photo of where it was left',
      description: 'Only what was left at a door: a photo of a person is shown to nobody here.',
      exampleCall: { path: { token: '$TRACKING_TOKEN' } },
      answers: { 200: { description: 'The image.', media: ['image/jpeg', 'image/png'] } },
      handle: guarded(async ({ deps, params }) => {
        const { bytes, mediaType } = await photoOfDelivery(deps, params.token as string)
        const imageHeaders = {
          'content-type': mediaType,
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        }
        return { status: 200, headers: imageHeaders, body: bytes }
      }),
    }),
  ]
}
