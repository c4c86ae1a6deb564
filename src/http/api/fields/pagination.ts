import { z } from 'zod'

export const Pagination = z.strictObject({ next: z.string().nullable(), has_more: z.boolean() }).meta({
  id: 'Pagination',
  description: '`next` is the value of `after` for the next page. Null on the last page.',
})

/** A complete list, or one page of a list. */
export function makeListSchema<T extends z.ZodType>(element: T) {
  return z.strictObject({ data: z.array(element), pagination: Pagination })
}
