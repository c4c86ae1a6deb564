import { parseDate } from '../../domain/calendar/timestamp.ts'
import type { Issue } from '../../domain/errors.ts'
import { text } from '../../domain/untyped-json.ts'
import type { DaysAsked } from '../../operations/deliveries/ended-period.ts'
import { cursorIssues } from '../../operations/lists/cursor.ts'
import type { ListScope } from '../../operations/lists/list-scope.ts'
import type { RefusedQuery } from '../contract/endpoint.ts'

/** The store and the cursor of a list query, even if its schema rejected the query. */
export function toScope({ store_reference: reference, after }: RefusedQuery['query']): ListScope {
  return { storeReference: text(reference), after: text(after) }
}

/** For a list whose cursor is the only parameter to check beyond the schema. */
export function placeIssues(places: RegExp): (refused: Pick<RefusedQuery, 'query'>) => Issue[] {
  return ({ query }) => cursorIssues(text(query.after), places)
}

/** The days of a query, even if its schema rejected one of them: without a readable end, no start is too late. */
export function toDays(from: unknown, to: unknown): DaysAsked {
  const toDay = parseDay(to)
  return { fromDay: to !== undefined && toDay === null ? null : parseDay(from), toDay }
}

/** The period in which the listed items ended; null if the query does not filter by it. */
export function endedDays(query: RefusedQuery['query']): DaysAsked | null {
  return ENDED.some((name) => query[name] !== undefined) ? toDays(query.ended_from, query.ended_to) : null
}

const ENDED = ['ended_from', 'ended_to', 'timeliness', 'provider', 'service']

function parseDay(value: unknown): number | null {
  const date = text(value)
  return date === null ? null : parseDate(date)
}
