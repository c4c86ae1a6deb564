import type { Issue } from '../domain/errors.ts'
import { text } from '../domain/raw-body.ts'
import { cursorIssues } from '../operations/cursor.ts'
import type { ListScope } from '../operations/list-scope.ts'
import type { RefusedQuery } from './endpoint.ts'

/** The store and the place that a list's query names, also where its schema refused it. */
export function scopeOf({ store_reference: reference, after }: RefusedQuery['query']): ListScope {
  return { storeReference: text(reference), after: text(after) }
}

/** For a list of which only the place can be wrong beyond its schema. */
export function placeIssues(places: RegExp): (refused: Pick<RefusedQuery, 'query'>) => Issue[] {
  return ({ query }) => cursorIssues(text(query.after), places)
}
