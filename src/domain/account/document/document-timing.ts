import { z } from 'zod'
import { byRateZone, minutes, timeOfDay, timeRange } from './primitives.ts'

const AfterPickup = z.strictObject({
  lead_minutes: minutes.describe('From the pickup to the start of the window.'),
  minutes_per_km: z.number().min(0).max(600).default(0).describe('More of them for each kilometre.'),
  window_minutes: minutes.min(1).describe('Length of the window.'),
  last_pickup: timeOfDay
    .optional()
    .describe('Later pickups are not possible that day; the minute itself is.'),
  hours: timeRange.optional().describe('When couriers are on the road, "08:00-21:00"; always unless given.'),
})

const days = z.number().int().min(0).max(60)

const OnDay = z
  .strictObject({
    cut_off: timeOfDay.describe(
      "Store's time; a pickup after it is the next open day's. The minute itself is in.",
    ),
    days: z
      .union([days, byRateZone(days)])
      .describe('Business days from pickup to delivery, 0 = the same day; one number, or one by zone.'),
    from: timeOfDay.describe("Start of the window, destination's time."),
    to: timeOfDay.describe("End of the window, destination's time."),
  })
  .refine((timing) => timing.from < timing.to, { path: ['to'], error: 'a time after "from"' })

/** Exactly one of the two kinds. */
export const Timing = z
  .strictObject({
    after_pickup: AfterPickup.optional().describe('So long after the pickup.'),
    on_day: OnDay.optional().describe('Within these hours of the n-th business day.'),
  })
  .refine((timing) => (timing.after_pickup === undefined) !== (timing.on_day === undefined), {
    error: 'either `after_pickup` or `on_day`, exactly one of them',
  })
  .meta({ id: 'timing', description: 'When it could deliver: `after_pickup` or `on_day`.' })
export type TimingDocument = z.output<typeof Timing>
