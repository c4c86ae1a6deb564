import { atLocal, localDay } from '../../domain/calendar/zone.ts'
import type { Issue } from '../../domain/errors.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

/** Days since 1970 in the account's calendar, both inclusive; null: the 28 days up to today. */
export type DaysAsked = { fromDay: number | null; toDay: number | null }
export type Days = { fromDay: number; toDay: number }

const USUAL_DAYS = 28
/** A year and a day, so that a leap year fits. */
const MAX_DAYS = 367

export function daysMeant({ account, nowMs }: AccountEntry, asked: DaysAsked): Days {
  const toDay = asked.toDay ?? localDay(account.zone, nowMs())
  return { fromDay: asked.fromDay ?? toDay - USUAL_DAYS + 1, toDay }
}

/** From the start of the first day to the end of the last. */
export function toInstants({ account: { zone } }: AccountEntry, { fromDay, toDay }: Days) {
  return { fromMs: atLocal(zone, fromDay, 0), toMs: atLocal(zone, toDay + 1, 0) }
}

/** Each day from its start to the start of the next. */
export function toSpans(entry: AccountEntry, { fromDay, toDay }: Days) {
  return Array.from({ length: toDay - fromDay + 1 }, (_, index) =>
    toInstants(entry, { fromDay: fromDay + index, toDay: fromDay + index }),
  )
}

/** `prefix` begins the parameter names: `from`, `ended_from`. */
export function daysIssues({ fromDay, toDay }: Days, prefix: '' | 'ended_' = ''): Issue[] {
  if (fromDay <= toDay && toDay - fromDay < MAX_DAYS) return []
  const message =
    fromDay > toDay
      ? `${prefix}from must not be after ${prefix}to.`
      : `A period may have at most ${MAX_DAYS} days.`
  return [{ field: `${prefix}from`, issue: 'invalid_value', message }]
}
