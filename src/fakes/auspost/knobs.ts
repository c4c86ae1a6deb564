import { z } from 'zod'
import type { FakeRoute } from '../fake.ts'
import { bodyOf } from '../input.ts'
import { idsOf } from './accounts.ts'
import { JOURNEY_NAMES } from './journeys.ts'
import { PRODUCTS } from './products.ts'
import type { World } from './world.ts'

const ACCOUNT = z.strictObject({
  account_number: z
    .string()
    .regex(/^(\d{8}|\d{10})$/, 'ten digits with Australia Post, eight with StarTrack'),
  api_key: z.string().min(1).default('fake-key'),
  api_password: z.string().min(1).default('fake-password'),
  name: z.string().default('Fake Merchant'),
  location_id: z
    .string()
    .regex(/^[A-Z][A-Z0-9]{2,3}$/)
    .optional(),
  product_ids: z.array(z.enum(PRODUCTS.map(({ productId }) => productId))).optional(),
  from_postcodes: z
    .array(z.string().regex(/^\d{4}$/))
    .nullable()
    .default(null),
  expired: z.boolean().default(false),
  credit_blocked: z.boolean().default(false),
  maximum_cover: z.number().int().nullable().default(5_000),
})
const SHIPMENT = z.strictObject({
  journey: z.enum(JOURNEY_NAMES).optional(),
  in_progress: z.boolean().optional(),
})
const SCAN = z.strictObject({
  description: z.string().nullable(),
  status: z.string().nullable().default(null),
  location: z.string().nullable().default(null),
  at: z.iso.datetime({ offset: true }).optional(),
})
const LABELS = z.strictObject({
  pending_seconds: z.number().int().min(0).optional(),
  fail_next: z.number().int().min(0).optional(),
})

/** This carrier's own knobs: contracts, what becomes of a parcel, and labels that take long or fail. */
export function knobsOf(world: World): FakeRoute[] {
  return [
    {
      name: 'control',
      method: 'POST',
      path: '/_fake/accounts',
      answer(request) {
        const asked = bodyOf(request, ACCOUNT)
        if (!asked.ok) return asked.answer
        const wanted = asked.value
        const network = wanted.account_number.length === 8 ? 'startrack' : 'auspost'
        world.accounts.set(wanted.account_number, {
          accountNumber: wanted.account_number,
          network,
          name: wanted.name,
          apiKey: wanted.api_key,
          apiPassword: wanted.api_password,
          locationId: wanted.location_id ?? (network === 'startrack' ? 'FKEZ' : 'FKE'),
          productIds: wanted.product_ids ?? idsOf(network),
          fromPostcodes: wanted.from_postcodes,
          expired: wanted.expired,
          creditBlocked: wanted.credit_blocked,
          maximumCover: wanted.maximum_cover,
        })
        return { status: 201, body: wanted }
      },
    },
    {
      name: 'control',
      method: 'POST',
      path: '/_fake/shipments/:id',
      answer(request) {
        const asked = bodyOf(request, SHIPMENT)
        if (!asked.ok) return asked.answer
        const shipment =
          world.shipments.get(request.params.id ?? '') ?? world.tracked.get(request.params.id ?? '')
        if (!shipment) return { status: 404 }
        shipment.journey = asked.value.journey ?? shipment.journey
        shipment.inProgress = asked.value.in_progress ?? shipment.inProgress
        return {
          status: 200,
          body: {
            shipment_id: shipment.shipmentId,
            journey: shipment.journey,
            in_progress: shipment.inProgress,
          },
        }
      },
    },
    {
      name: 'control',
      method: 'POST',
      path: '/_fake/articles/:id/scans',
      answer(request) {
        const asked = bodyOf(request, SCAN)
        if (!asked.ok) return asked.answer
        const { at, ...told } = asked.value
        const item = world.tracked
          .get(request.params.id ?? '')
          ?.items.find(({ tracking }) => tracking.articleId === request.params.id)
        if (!item) return { status: 404 }
        item.scans.push({ ...told, atMs: at === undefined ? world.clock.nowMs() : Date.parse(at) })
        return { status: 201, body: asked.value }
      },
    },
    {
      name: 'control',
      method: 'POST',
      path: '/_fake/labels',
      answer(request) {
        const asked = bodyOf(request, LABELS)
        if (!asked.ok) return asked.answer
        const { pending_seconds, fail_next } = asked.value
        world.labelWork.pendingSeconds = pending_seconds ?? world.labelWork.pendingSeconds
        world.labelWork.failNext = fail_next ?? world.labelWork.failNext
        return {
          status: 200,
          body: { pending_seconds: world.labelWork.pendingSeconds, fail_next: world.labelWork.failNext },
        }
      },
    },
  ]
}
