import { z } from 'zod'
import { DELIVERY_MODES, LABEL_FORMATS } from '../../values.ts'
import { DayRanges, Hours } from '../hours.ts'
import { date, minutes, reference, slug, state, text } from './primitives.ts'

export const modes = z
  .array(z.enum(DELIVERY_MODES))
  .min(1)
  .describe(
    '`store_to_door`: from the store to the customer. `customer_pickup`: from the customer to the store.',
  )

const Address = z
  .strictObject({
    address: text().describe('Street number, name and type.'),
    address2: text().optional().describe('Unit, level or shop.'),
    city: text().describe('City, suburb or town.'),
    state: state.describe(
      'State or territory: "VIC", "Victoria" or "AU-VIC". The store closes on its public holidays.',
    ),
    post_code: z
      .string()
      .regex(/^\d{4}$/, 'four digits as text, such as "0800"')
      .describe('Four digits, as a string such as "0800".'),
    country: z.literal('AU').default('AU').describe('Australia only.'),
  })
  .meta({ id: 'store_address' })

const Closure = z
  .strictObject({
    from: date.describe('First day of the closure, such as "2026-12-24".'),
    to: date.optional().describe('Last day of the closure. Default: the first day.'),
    reason: text().optional().describe('For people.'),
  })
  .refine((closure) => closure.to === undefined || closure.from <= closure.to, {
    path: ['to'],
    error: 'a day that is not before "from"',
  })
  .meta({ id: 'closure' })

const Opening = z
  .strictObject({
    from: date.describe('First day of the opening, such as "2026-12-13".'),
    to: date.optional().describe('Last day of the opening. Default: the first day.'),
    hours: DayRanges.describe('"10:00-16:00", or a list of such ranges. The same on each day.'),
    reason: text().optional().describe('For people.'),
  })
  .refine((opening) => opening.to === undefined || opening.from <= opening.to, {
    path: ['to'],
    error: 'a day that is not before "from"',
  })
  .meta({ id: 'opening' })

const Labels = z
  .strictObject({
    format: z
      .enum(LABEL_FORMATS)
      .optional()
      .describe(
        'The format in which staff print labels in the portal. Default: `pdf`, from the browser. `zpl`: a file for a label printer.',
      ),
    printer: text(60)
      .optional()
      .describe('The name of the printer that staff see when they print. Drover does not connect to it.'),
  })
  .meta({ id: 'store_labels' })

const StaffCourier = z
  .strictObject({
    phone: text(30).describe('Mobile number, as dialled in Australia or with the country code.'),
    driver_name: text().describe('The name that the customer sees.'),
    driver_id: text(100).optional().describe("The merchant's id of the driver."),
  })
  .meta({ id: 'staff_courier' })

export const StoreDocument = z
  .strictObject({
    reference: reference.describe(
      "The merchant's reference of the store, used as `store_reference` in requests.",
    ),
    name: text().optional().describe('The name that people see. Default: the reference.'),
    brand: slug.optional().describe('The `reference` of a brand. Default: the first brand.'),
    address: Address,
    latitude: z
      .number()
      .optional()
      .describe(
        'Degrees, negative in Australia. Set both `latitude` and `longitude`, or neither to use the middle of the suburb.',
      ),
    longitude: z.number().optional().describe('Degrees. Set both, or neither.'),
    phone: text(30).optional().describe('The phone number for couriers and customers.'),
    time_zone: text(60)
      .optional()
      .describe(`IANA time zone such as "Australia/Perth". Default: the state's.`),
    modes: modes.optional().describe("Delivery modes of this store. Default: the account's."),
    hours: Hours,
    pickup_hours: Hours.optional().describe('When carriers may collect. Default: trading hours.'),
    pickup_ends_before_closing_minutes: minutes
      .optional()
      .describe(
        'Instead of `pickup_hours`: carriers may collect in trading hours, except in the last minutes before closing.',
      ),
    closures: z
      .array(Closure)
      .max(1000)
      .default([])
      .describe('Days on which the store is closed, other than public holidays.'),
    openings: z
      .array(Opening)
      .max(1000)
      .default([])
      .describe(
        'Extra openings: hours in addition to `hours`, even on public holidays. Carriers may collect during them. A day cannot also be in `closures` or in another extra opening.',
      ),
    holiday_region: slug.optional().describe('The region whose local public holidays also close the store.'),
    open_on_holidays: z
      .union([z.boolean(), z.array(text()).max(200)])
      .default(false)
      .describe(
        '`true`: the store opens on every public holiday. Or a list of names or dates: ["Melbourne Cup Day", "2027-01-26"].',
      ),
    buffer_minutes: minutes.optional().describe("Added to the earliest pickup time. Default: the brand's."),
    processing_minutes: minutes
      .optional()
      .describe("How long the store takes to pick and pack an order. Default: the brand's."),
    labels: Labels.optional().describe('How staff print labels in the portal.'),
    staff_couriers: z.array(StaffCourier).max(1000).default([]).describe('Drivers that the store employs.'),
  })
  .meta({ id: 'store' })
export type StoreDocument = z.output<typeof StoreDocument>
