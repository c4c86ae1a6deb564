import type { Issue } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'

/** Encodes the position after which the next page of a list begins, as the cursor that callers send. */
export function toCursor(place: string): string {
  return Buffer.from(place).toString('base64url')
}

/** What is wrong with a cursor for such positions; null means the first page. */
export function cursorIssues(cursor: string | null, places: RegExp): Issue[] {
  if (cursor === null || places.test(placeIn(cursor))) return []
  const message = 'after must be the `next` of an earlier page, unchanged.'
  return [{ field: 'after', issue: 'invalid_value', message }]
}

/** Refuses a cursor that no page has returned. */
export function readCursor(cursor: string | null, places: RegExp): string | null {
  const issues = cursorIssues(cursor, places)
  if (issues.length > 0) refuse(issues)
  return cursor === null ? null : placeIn(cursor)
}

function placeIn(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString()
}
