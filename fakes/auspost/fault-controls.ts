import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import type { FakeRoute } from '../fake.ts'
import { type Account, idsOf } from './accounts.ts'
import { JOURNEY_NAMES } from './journeys.ts'
import { PRODUCTS } from './products.ts'
import type { State } from './state.ts'

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
  before_order: z.boolean().optional(),
})
const LISTING = z.strictObject({ after_seconds: z.number().int().min(0) })

/** This carrier's own controls: contracts, journeys of parcels, and labels that take long or fail. */
export function faultControls(state: State): FakeRoute[] {
  return [
    controlRouteWithState('/_fake/accounts', ACCOUNT, (input) => {
      state.accounts.set(input.account_number, toAccount(input))
      return input
    }),
    controlRouteWithState('/_fake/shipments/:id', SHIPMENT, ({ journey, in_progress }, id) => {
      const shipment = state.shipments.get(id) ?? state.tracked.get(id)
      if (!shipment) return null
      shipment.journey = journey ?? shipment.journey
      shipment.inProgress = in_progress ?? shipment.inProgress
      const { shipmentId: shipment_id, journey: journeyName, inProgress } = shipment
      return { shipment_id, journey: journeyName, in_progress: inProgress }
    }),
    controlRouteWithState('/_fake/articles/:id/scans', SCAN, ({ at, ...scan }, id) => {
      const items = state.tracked.get(id)?.items ?? []
      const item = items.find(({ tracking }) => tracking.articleId === id)
      item?.scans.push({ ...scan, atMs: at === undefined ? state.clock.nowMs() : Date.parse(at) })
      return item ? scan : null
    }),
    controlRouteWithState('/_fake/listing', LISTING, ({ after_seconds }) => {
      state.listedAfterMs = after_seconds * 1_000
      return { after_seconds }
    }),
    controlRouteWithState('/_fake/labels', LABELS, ({ pending_seconds, fail_next, before_order }) => {
      const work = state.labelWork
      work.pendingSeconds = pending_seconds ?? work.pendingSeconds
      work.failNext = fail_next ?? work.failNext
      work.beforeOrder = before_order ?? work.beforeOrder
      return {
        pending_seconds: work.pendingSeconds,
        fail_next: work.failNext,
        before_order: work.beforeOrder,
      }
    }),
  ]
}

/** `apply` returns the new state, or null when nothing has that id. */
function controlRouteWithState<T>(
  path: string,
  schema: z.ZodType<T>,
  apply: (asked: T, id: string) => object | null,
): FakeRoute {
  return controlRoute(path, schema, (asked, id) => {
    const now = apply(asked, id)
    return now ? { status: 200, body: now } : { status: 404 }
  })
}

function toAccount(input: z.infer<typeof ACCOUNT>): Account {
  const network = input.account_number.length === 8 ? 'startrack' : 'auspost'
  return {
    accountNumber: input.account_number,
    network,
    name: input.name,
    apiKey: input.api_key,
    apiPassword: input.api_password,
    locationId: input.location_id ?? (network === 'startrack' ? 'FKEZ' : 'FKE'),
    productIds: input.product_ids ?? idsOf(network),
    fromPostcodes: input.from_postcodes,
    expired: input.expired,
    creditBlocked: input.credit_blocked,
    maximumCover: input.maximum_cover,
  }
}
