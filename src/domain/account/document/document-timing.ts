import { z } from 'zod'
import { byRateZone, minutes, timeOfDay, timeRange } from './primitives.ts'

const AfterPickup = z.strictObject({
  lead_minutes: minutes.describe('Minutes from the pickup to the start of the delivery window.'),
  minutes_per_km: z
    .number()
    .min(0)
    .max(600)
    .default(0)
    .describe('Minutes that Drover adds to `lead_minutes` for each kilometre to the destination.'),
  window_minutes: minutes.min(1).describe('Length of the delivery window, in minutes.'),
  last_pickup: timeOfDay.optional().describe('The latest pickup time of the day, inclusive.'),
  hours: timeRange.optional().describe(`Couriers' working hours, such as "08:00-21:00". Default: all day.`),
})

const days = z.number().int().min(0).max(60)

const OnDay = z
  .strictObject({
    cut_off: timeOfDay.describe(
      "Cut-off in the store's time zone, inclusive. A pickup after the cut-off counts as a pickup on the store's next open day.",
    ),
    days: z
      .union([days, byRateZone(days)])
      .describe(
        'Business days from pickup to delivery, 0 for the same day: one number, or a number for each of the four zones.',
      ),
    from: timeOfDay.describe("Start of the delivery window, in the destination's time zone."),
    to: timeOfDay.describe("End of the delivery window, in the destination's time zone."),
  })
  .refine((timing) => timing.from < timing.to, { path: ['to'], error: 'a time after "from"' })

/** Exactly one of the two kinds. */
export const Timing = z
  .strictObject({
    after_pickup: AfterPickup.optional().describe('The delivery window starts a set time after the pickup.'),
    on_day: OnDay.optional().describe('The delivery window falls on a set business day, between set times.'),
  })
  .refine((timing) => (timing.after_pickup === undefined) !== (timing.on_day === undefined), {
    error: 'either `after_pickup` or `on_day`, but not both',
  })
  .meta({ id: 'timing', description: 'When deliveries arrive: set either `after_pickup` or `on_day`.' })
export type TimingDocument = z.output<typeof Timing>
