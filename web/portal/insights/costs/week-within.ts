export type Days = { from: string; to: string }

const WEEK_MS = 7 * 86_400_000

/** The days of a week, which is named by its Monday, that are within the period. */
export function weekWithin({ from, to }: Days, week: string): Days {
  const sunday = new Date(Date.parse(week) + WEEK_MS - 1).toISOString().slice(0, 10)
  return { from: week < from ? from : week, to: sunday > to ? to : sunday }
}
