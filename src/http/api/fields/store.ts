import { z } from 'zod'
import { DELIVERY_MODES, DELIVERY_TYPES, LABEL_FORMATS, WEEKDAYS } from '../../../domain/values.ts'
import { makeListSchema } from './pagination.ts'
import { windowTime } from './text.ts'

const range = z.strictObject({ from: windowTime, to: windowTime })
const namedRange = range.extend({ name: z.string() })

export const StoreData = z
  .strictObject({
    id: z.string(),
    reference: z.string(),
    name: z.string(),
    account_mode: z.enum(['sandbox', 'live']).meta({
      description: 'A sandbox account has simulated carriers and may have a test clock.',
    }),
    brand_id: z.string(),
    brand_reference: z.string(),
    address: z.strictObject({
      address: z.string(),
      address2: z.string().optional(),
      city: z.string(),
      state: z.string(),
      post_code: z.string(),
      country: z.string(),
    }),
    phone: z.string().optional(),
    lat: z.number(),
    lng: z.number(),
    time_zone: z.string(),
    modes: z.array(z.enum(DELIVERY_MODES)),
    buffer_minutes: z.int(),
    processing_minutes: z.int(),
    hours: z
      .partialRecord(z.enum(WEEKDAYS), z.array(z.string()))
      .meta({ description: 'The trading hours from the account document.' }),
    labels: z.strictObject({ format: z.enum(LABEL_FORMATS), printer: z.string().optional() }).meta({
      description:
        'How the store’s staff print labels: the format that the portal asks for, and the printer’s name.',
    }),
    today: z.strictObject({
      now: windowTime.meta({
        description: 'The account’s current time. A sandbox account may have a test clock.',
      }),
      date: z.string().meta({ format: 'date' }),
      trading: z.array(range),
      pickup: z.array(range),
      open_now: z.boolean(),
    }),
    services: z
      .array(
        z
          .strictObject({
            provider: z.string(),
            carrier: z.string(),
            service: z.string(),
            carrier_code: z.string(),
            delivery_type: z.enum(DELIVERY_TYPES),
            manifest_group: z.string().optional(),
            separate_dangerous_goods_manifest: z
              .boolean()
              .meta({ description: 'The carrier needs separate manifests for dangerous goods.' }),
            closes_at: windowTime.optional().meta({
              description:
                'The latest time today at which deliveries can be handed over. Absent if the service has no closing time.',
            }),
          })
          .meta({ id: 'StoreService' }),
      )
      .meta({ description: 'The services of the account, each with its closing time today at this store.' }),
    next_closures: z.array(namedRange),
    next_openings: z.array(namedRange).meta({
      description:
        'Extra openings: the store is open then, whatever its weekly hours, and even on a public holiday.',
    }),
  })
  .meta({ id: 'Store' })

export const StoreAnswer = z.strictObject({ data: StoreData }).meta({ id: 'StoreAnswer' })
export const StoresAnswer = makeListSchema(StoreData).meta({ id: 'StoresAnswer' })
