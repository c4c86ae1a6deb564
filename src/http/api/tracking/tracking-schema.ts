import { z } from 'zod'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { PROOF_PLACES } from '../../../domain/tracking/tracking.ts'
import { windowTime } from '../fields/text.ts'

export const PageBrand = z
  .strictObject({
    name: z.string(),
    header_color: z
      .string()
      .meta({ description: 'The background colour of the page header.', examples: ['#17513f'] }),
    header_text_color: z
      .string()
      .meta({ description: 'A text colour that is legible on `header_color`.', examples: ['#ffffff'] }),
    logo: z
      .boolean()
      .optional()
      .meta({ description: '`true` if the brand has a logo: add `/logo` to the page’s address.' }),
  })
  .meta({ id: 'PageBrand' })

export const PageHelp = z
  .strictObject({
    store: z.string(),
    tel: z.string().optional().meta({ description: 'The store’s phone number in E.164 format.' }),
    open_until: windowTime
      .optional()
      .meta({ description: 'When the store closes, in its local time. Present only while it is open.' }),
    time_zone: z.string().meta({
      description:
        'The time zone of the store. Show the window of a `customer_pickup` in this zone, because the parcels arrive at the store.',
    }),
  })
  .meta({ id: 'PageHelp', description: 'The store that the customer can contact about a problem.' })

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
        headline: z.string().meta({ description: 'The main message of the page, as a sentence.' }),
        detail: z.string().optional(),
        late: z.boolean(),
        now: windowTime.meta({
          description:
            'The current time. All times but `help.open_until` are in the time zone of the customer’s address.',
        }),
        time_zone: z.string(),
        from_datetime: windowTime.optional(),
        to_datetime: windowTime.optional(),
        likely_at: windowTime.optional().meta({
          description:
            'When the courier will probably arrive. Present while their position is known and this is their next stop.',
        }),
        steps: z.array(
          z.strictObject({
            name: z.enum(['ready', 'collected', 'on_the_road', 'arrived']),
            state: z.enum(['done', 'now', 'ahead']),
            at: windowTime.optional(),
          }),
        ),
        history: z
          .array(z.strictObject({ at: windowTime, text: z.string() }))
          .meta({ description: 'The events of the delivery, oldest first.' }),
        store: Point,
        destination: Point.extend({ suburb: z.string() }).meta({ id: 'MapDestination' }),
        courier: z
          .strictObject({
            first_name: z.string(),
            position: Point.extend({ at: windowTime }).meta({ id: 'MapCourier' }).optional().meta({
              description:
                'The courier’s position. Present only while they are on the way to this customer and make no other stop first.',
            }),
            distance_km: z.number().optional(),
          })
          .optional(),
        carrier: z.string().optional(),
        authority_to_leave: z.boolean(),
        note: z.string().optional().meta({ description: 'The customer’s note for the courier.' }),
        parcels: z.int().meta({ description: 'How many parcels are on the way.' }),
        parcels_later: z
          .int()
          .optional()
          .meta({ description: 'How many parcels stayed at the store when the others were collected.' }),
        delivered: z
          .strictObject({
            at: windowTime,
            place: z.enum(PROOF_PLACES).optional(),
            photo: z.boolean().meta({ description: '`true` if `/track/{token}/photo` has a photo.' }),
          })
          .optional(),
      })
      .meta({ id: 'Tracking' }),
  })
  .meta({ id: 'TrackingAnswer' })
