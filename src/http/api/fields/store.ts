import { z } from 'zod'
import { DELIVERY_MODES, DELIVERY_TYPES, WEEKDAYS } from '../../../domain/values.ts'
import { listOf } from './pagination.ts'
import { windowTime } from './text.ts'

const range = z.strictObject({ from: windowTime, to: windowTime })

export const StoreData = z
  .strictObject({
    id: z.string(),
    reference: z.string(),
    name: z.string(),
    account_mode: z.enum(['sandbox', 'live']).meta({
      description: 'A sandbox account has carriers that carry nothing, and may have a clock of its own.',
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
      .meta({ description: 'As the account document has them.' }),
    today: z.strictObject({
      now: windowTime.meta({ description: 'The account’s own clock, which a test account may have set.' }),
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
            dangerous_goods_apart: z
              .boolean()
              .meta({ description: 'The carrier takes dangerous goods on manifests of their own.' }),
            closes_at: windowTime.optional().meta({
              description: 'What is to go today must be handed over by then; absent where it never closes.',
            }),
          })
          .meta({ id: 'StoreService' }),
      )
      .meta({ description: 'What carries for the account, with today’s close at this store.' }),
    next_closures: z.array(z.strictObject({ from: windowTime, to: windowTime, name: z.string() })),
  })
  .meta({ id: 'Store' })

export const StoreAnswer = z.strictObject({ data: StoreData }).meta({ id: 'StoreAnswer' })
export const StoresAnswer = listOf(StoreData).meta({ id: 'StoresAnswer' })
