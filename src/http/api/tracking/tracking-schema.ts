import { z } from 'zod'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { PROOF_PLACES } from '../../../domain/tracking/tracking.ts'
import { windowTime } from '../fields/text.ts'

export const PageBrand = z
  .strictObject({
    name: z.string(),
    band: z.string().meta({ description: 'The colour of the page’s band.', examples: ['#17513f'] }),
    on_band: z.string().meta({ description: 'A colour that can be read on it.', examples: ['#ffffff'] }),
  })
  .meta({ id: 'PageBrand' })

export const PageHelp = z
  .strictObject({
    store: z.string(),
    tel: z.string().optional().meta({ description: 'Of the store, E.164.' }),
    open_until: windowTime.optional().meta({ description: 'Where it is open now.' }),
  })
  .meta({ id: 'PageHelp', description: 'Whom to ask when something is not right.' })

const Point = z.strictObject({ lat: z.number(), lng: z.number() }).meta({ id: 'MapPoint' })

export const TrackingAnswer = z
  .strictObject({
    data: z
      .strictObject({
        reference: z.string(),
        brand: PageBrand,
        help: PageHelp,
        first_name: z.string(),
        delivery_mode: z.literal('customer_pickup').optional(),
        status: z.enum(STATUSES).exclude(['created']),
        headline: z.string().meta({ description: 'What is said first, a sentence.' }),
        more: z.string().optional(),
        late: z.boolean(),
        now: windowTime.meta({ description: 'All times are those of the destination’s wall clock.' }),
        time_zone: z.string(),
        from_datetime: windowTime.optional(),
        to_datetime: windowTime.optional(),
        likely_at: windowTime
          .optional()
          .meta({ description: 'While the courier is seen and comes here next.' }),
        steps: z.array(
          z.strictObject({
            name: z.enum(['ready', 'collected', 'on_the_road', 'arrived']),
            state: z.enum(['done', 'now', 'ahead']),
            at: windowTime.optional(),
          }),
        ),
        history: z
          .array(z.strictObject({ at: windowTime, words: z.string() }))
          .meta({ description: 'What happened, oldest first.' }),
        store: Point,
        destination: Point.extend({ suburb: z.string() }).meta({ id: 'MapDestination' }),
        courier: z
          .strictObject({
            first_name: z.string(),
            position: Point.extend({ at: windowTime }).meta({ id: 'MapCourier' }).optional(),
            distance_km: z.number().optional(),
          })
          .optional(),
        carrier: z.string().optional(),
        authority_to_leave: z.boolean(),
        note: z.string().optional().meta({ description: 'What the customer told the courier.' }),
        parcels: z.int(),
        delivered: z
          .strictObject({
            at: windowTime,
            left: z.enum(PROOF_PLACES).optional(),
            photo: z.boolean().meta({ description: 'There is one at `/track/{token}/photo`.' }),
          })
          .optional(),
      })
      .meta({ id: 'Tracking' }),
  })
  .meta({ id: 'TrackingAnswer' })
