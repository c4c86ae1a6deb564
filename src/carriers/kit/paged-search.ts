import type { Outcome } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'

/**
 * One page of a carrier's list: our entry if it is on the page, and whether it may be on a later page.
 * `next`: the carrier's own token for the next page; null or absent: pages are numbered.
 */
export type Page<T> = {
  ours: T | null
  length: number
  more: boolean
  unreadable: number
  next?: string | null
}

/**
 * Searches a carrier's list for our entry; null if it isn't there. Only a complete read proves that: the
 * outcome stays unknown past `maxPages`, or if an entry can't be read. `seen`: entries read so far, since
 * pages may be short; `next`: the carrier's own token for the page, if it sent one.
 */
export async function pagedSearch<T>(
  maxPages: number,
  ask: (at: { page: number; seen: number; next: string | null }) => Promise<Outcome<Page<T>>>,
): Promise<Outcome<T | null>> {
  let [seen, unreadable] = [0, 0]
  let next: string | null = null
  for (let page = 0; page < maxPages; page += 1) {
    const outcome = await ask({ page, seen, next })
    if (outcome.kind !== 'yes') return outcome
    const { ours, length, more } = outcome.value
    if (ours !== null) return yes(ours)
    seen += length
    unreadable += outcome.value.unreadable
    next = outcome.value.next ?? null
    if (more) continue
    return unreadable > 0
      ? { kind: 'unknown', message: 'some entries in its list cannot be read' }
      : yes(null)
  }
  return { kind: 'unknown', message: `not among the first ${seen} entries in its list` }
}
