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
    address: text().describe('Street number and name, such as "80 Smith Street".'),
    address2: text().optional().describe('Unit, level or shop, such as "Level 3".'),
    city: text().describe('City, suburb or town.'),
    state: state.describe(
      'State or territory, such as "VIC", "Victoria" or "AU-VIC". The store closes on public holidays there.',
    ),
    post_code: z
      .string()
      .regex(/^\d{4}$/, 'four digits, such as "0800"')
      .describe('Four-digit postcode, as a string such as "0800".'),
    country: z.literal('AU').default('AU').describe('The country. Only `AU` is supported.'),
  })
  .meta({ id: 'store_address' })

const Closure = z
  .strictObject({
    from: date.describe('First day of the closure, such as "2026-12-24".'),
    to: date.optional().describe('Last day of the closure. Default: the first day.'),
    reason: text().optional().describe('The reason for the closure, such as "Stocktake".'),
  })
  .refine((closure) => closure.to === undefined || closure.from <= closure.to, {
    path: ['to'],
    error: 'a day on or after "from"',
  })
  .meta({ id: 'closure' })

const Opening = z
  .strictObject({
    from: date.describe('First day of the extra opening, such as "2026-12-13".'),
    to: date.optional().describe('Last day of the extra opening. Default: the first day.'),
    hours: DayRanges.describe(
      'Opening hours on each day of the extra opening: a range such as "10:00-16:00", or a list of ranges.',
    ),
    reason: text().optional().describe('The reason for the extra opening, such as "Christmas shopping".'),
  })
  .refine((opening) => opening.to === undefined || opening.from <= opening.to, {
    path: ['to'],
    error: 'a day on or after "from"',
  })
  .meta({ id: 'opening' })

const Labels = z
  .strictObject({
    format: z
      .enum(LABEL_FORMATS)
      .optional()
      .describe(
        'The format of the labels that staff print from the portal. `pdf` (default): printed from the browser. `zpl`: a file for a label printer.',
      ),
    printer: text(60)
      .optional()
      .describe('The printer name that staff see when they print. Drover does not connect to the printer.'),
  })
  .meta({ id: 'store_labels' })

const StaffCourier = z
  .strictObject({
    phone: text(30).describe(
      `The driver's mobile number, as dialled in Australia (such as "0491 570 156") or with the country code.`,
    ),
    driver_name: text().describe("The driver's name, as customers see it."),
    driver_id: text(100).optional().describe("The merchant's own ID for the driver."),
  })
  .meta({ id: 'staff_courier' })

export const StoreDocument = z
  .strictObject({
    reference: reference.describe(
      "The merchant's reference for the store, used as `store_reference` in requests.",
    ),
    name: text().optional().describe("The store's display name. Default: the reference."),
    brand: slug.optional().describe("The `reference` of the store's brand. Default: the first brand."),
    address: Address,
    latitude: z
      .number()
      .optional()
      .describe(
        'Latitude in degrees, negative in Australia. Set `latitude` and `longitude` together. Without them, Drover uses the middle of the suburb.',
      ),
    longitude: z.number().optional().describe('Longitude in degrees. Set it together with `latitude`.'),
    phone: text(30).optional().describe('The phone number that couriers and customers can ring.'),
    time_zone: text(60)
      .optional()
      .describe(`IANA time zone, such as "Australia/Perth". Default: the state's time zone.`),
    modes: modes.optional().describe("Delivery modes that the store offers. Default: the account's `modes`."),
    hours: Hours,
    pickup_hours: Hours.optional().describe(
      'When carriers may collect. Default: the trading hours in `hours`.',
    ),
    pickup_ends_before_closing_minutes: minutes
      .optional()
      .describe(
        'Instead of `pickup_hours`: carriers may collect during trading hours, until this many minutes before closing.',
      ),
    closures: z
      .array(Closure)
      .max(1000)
      .default([])
      .describe('Days when the store is closed, other than public holidays.'),
    openings: z
      .array(Opening)
      .max(1000)
      .default([])
      .describe(
        'Extra openings: trading hours in addition to `hours`, even on public holidays. Carriers may collect during these hours. Extra openings cannot share a day with each other or with `closures`.',
      ),
    holiday_region: slug
      .optional()
      .describe("The store's holiday region. The store also closes on that region's local public holidays."),
    open_on_holidays: z
      .union([z.boolean(), z.array(text()).max(200)])
      .default(false)
      .describe(
        'Public holidays when the store is open: `true` for all, or a list of names or dates such as ["Melbourne Cup Day", "2027-01-26"].',
      ),
    buffer_minutes: minutes
      .optional()
      .describe(
        "Minutes that Drover adds to the earliest pickup time. Default: the brand's `buffer_minutes`.",
      ),
    processing_minutes: minutes
      .optional()
      .describe(
        "How many minutes the store takes to pick and pack an order. Default: the brand's `processing_minutes`.",
      ),
    labels: Labels.optional().describe(
      "The format of the labels that staff print from the portal, and the printer's name.",
    ),
    staff_couriers: z.array(StaffCourier).max(1000).default([]).describe("The store's own drivers."),
  })
  .meta({ id: 'store' })
export type StoreDocument = z.output<typeof StoreDocument>
