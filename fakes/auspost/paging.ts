import type { FakeAnswer } from '../fake.ts'
import { refused } from './error-answers.ts'
import { apiError } from './errors.ts'
import { missing } from './read-party.ts'

export type Page = { offset: number; count: number }

/** `offset` and its companion, which are required together; or the error response. */
export function readPage(query: URLSearchParams, countName: string): Page | { answer: FakeAnswer } {
  for (const name of ['offset', countName])
    if (!query.get(name)) return { answer: refused(400, missing(name)) }
  const [offset, count] = [Number(query.get('offset')), Number(query.get(countName))]
  if (Number.isInteger(offset) && Number.isInteger(count) && offset >= 0 && count > 0)
    return { offset, count }
  return { answer: refused(400, apiError('400', { message: `offset and ${countName} are whole numbers.` })) }
}

export function pageOf<T>(rows: readonly T[], { offset, count }: Page) {
  return {
    rows: rows.slice(offset, offset + count),
    pagination: {
      total_number_of_records: rows.length,
      number_of_records_per_page: count,
      current_page_number: Math.floor(offset / count) + 1,
    },
  }
}
