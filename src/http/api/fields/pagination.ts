import { z } from 'zod'

export const Pagination = z
  .strictObject({ next: z.string().nullable(), has_more: z.boolean() })
  .meta({ id: 'Pagination', description: '`next` is the `after` of the next page; null on the last.' })

/** A list, or a page of one. */
export function listOf<T extends z.ZodType>(element: T) {
  return z.strictObject({ data: z.array(element), pagination: Pagination })
}
