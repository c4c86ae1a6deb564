import { z } from 'zod'
import { byRateZone, minutes, timeOfDay, timeRange } from './primitives.ts'

const AfterPickup = z.strictObject({
  lead_minutes: minutes.describe('Time from the pickup to the start of the window.'),
  minutes_per_km: z.number().min(0).max(600).default(0).describe('Extra minutes for each kilometre.'),
  window_minutes: minutes.min(1).describe('Length of the window.'),
  last_pickup: timeOfDay.optional().describe('The last possible pickup of the day, inclusive.'),
  hours: timeRange.optional().describe('When couriers work, such as "08:00-21:00". Default: always.'),
})

const days = z.number().int().min(0).max(60)

const OnDay = z
  .strictObject({
    cut_off: timeOfDay.describe(
      "Cut-off in the store's time, inclusive. A later pickup counts for the next open day.",
    ),
    days: z
      .union([days, byRateZone(days)])
      .describe(
        'Business days from pickup to delivery, 0 for the same day: one number, or one for each zone.',
      ),
    from: timeOfDay.describe("Start of the window, in the destination's time."),
    to: timeOfDay.describe("End of the window, in the destination's time."),
  })
  .refine((timing) => timing.from < timing.to, { path: ['to'], error: 'a time after "from"' })

/** Exactly one of the two kinds. */
export const Timing = z
  .strictObject({
    after_pickup: AfterPickup.optional().describe('The window starts a set time after the pickup.'),
    on_day: OnDay.optional().describe('The window is on a set business day, between set hours.'),
  })
  .refine((timing) => (timing.after_pickup === undefined) !== (timing.on_day === undefined), {
    error: 'either `after_pickup` or `on_day`, exactly one of them',
  })
  .meta({ id: 'timing', description: 'When it could deliver: `after_pickup` or `on_day`.' })
export type TimingDocument = z.output<typeof Timing>
