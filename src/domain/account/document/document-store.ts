import { z } from 'zod'
import { DELIVERY_MODES } from '../../values.ts'
import { Hours } from '../hours.ts'
import { date, minutes, reference, slug, state, text } from './primitives.ts'

export const modes = z
  .array(z.enum(DELIVERY_MODES))
  .min(1)
  .describe('`store_to_door` carries to the customer, `customer_pickup` from the customer to the store.')

const Address = z
  .strictObject({
    address: text().describe('Street address: number, name, type.'),
    address2: text().optional().describe('Unit, level, shop.'),
    city: text().describe('City, suburb or town.'),
    state: state.describe(
      'State or territory, as "VIC", "Victoria" or "AU-VIC"; its public holidays close the store.',
    ),
    post_code: z
      .string()
      .regex(/^\d{4}$/, 'four digits as text, such as "0800"')
      .describe('Four digits, in quotes.'),
    country: z.literal('AU').default('AU').describe('Australia only.'),
  })
  .meta({ id: 'store_address' })

const Closure = z
  .strictObject({
    from: date.describe('First day closed, "2026-12-24".'),
    to: date.optional().describe('Last day closed; the first one unless given.'),
    reason: text().optional().describe('For people.'),
  })
  .refine((closure) => closure.to === undefined || closure.from <= closure.to, {
    path: ['to'],
    error: 'a day that is not before "from"',
  })
  .meta({ id: 'closure' })

const StaffCourier = z
  .strictObject({
    phone: text(30).describe('Mobile number, as dialled in Australia or with its country code.'),
    driver_name: text().describe('Name shown to the customer.'),
    driver_id: text(100).optional().describe("The merchant's own id of the driver."),
  })
  .meta({ id: 'staff_courier' })

export const StoreDocument = z
  .strictObject({
    reference: reference.describe(
      "The merchant's own name of the store: `store_reference` of every request.",
    ),
    name: text().optional().describe('Shown to people; the reference unless given.'),
    brand: slug.optional().describe("A brand's `reference`; the first brand unless given."),
    address: Address,
    latitude: z
      .number()
      .optional()
      .describe('Degrees, negative in Australia; with `longitude`. Without both, the middle of the suburb.'),
    longitude: z.number().optional().describe('Degrees; with `latitude`.'),
    phone: text(30).optional().describe('For couriers and customers.'),
    time_zone: text(60)
      .optional()
      .describe('IANA zone such as "Australia/Perth"; that of the state unless given.'),
    modes: modes.optional().describe("Delivery modes of this store; the account's unless given."),
    hours: Hours,
    pickup_hours: Hours.optional().describe('When carriers may collect; trading hours unless given.'),
    pickup_ends_before_closing_minutes: minutes
      .optional()
      .describe(
        'Instead of `pickup_hours`: carriers collect in trading hours, but not in the last minutes of a day.',
      ),
    closures: z.array(Closure).max(1000).default([]).describe('Days closed beside the public holidays.'),
    holiday_region: slug.optional().describe('Region whose local public holidays the store keeps too.'),
    open_on_holidays: z
      .union([z.boolean(), z.array(text()).max(200)])
      .default(false)
      .describe(
        'true: trades on every public holiday; or a list of names or dates: ["Melbourne Cup Day", "2027-01-26"].',
      ),
    buffer_minutes: minutes
      .optional()
      .describe("Added before the earliest pickup; the brand's unless given."),
    processing_minutes: minutes
      .optional()
      .describe("What the store needs to pick and pack an order; the brand's unless given."),
    staff_couriers: z.array(StaffCourier).max(1000).default([]).describe("The store's own drivers."),
  })
  .meta({ id: 'store' })
export type StoreDocument = z.output<typeof StoreDocument>
