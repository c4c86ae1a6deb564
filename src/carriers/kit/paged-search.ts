import type { Outcome } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'

/**
 * A page of what a carrier lists: ours where it is there, and whether it may be on a further one. `next`: how the carrier
 * itself names that one; null or absent: it is counted on to.
 */
export type Page<T> = {
  ours: T | null
  length: number
  more: boolean
  unreadable: number
  next?: string | null
}

/**
 * What a carrier lists under our key, or null. A miss is one only where all of the list could be read: it says nothing
 * past `mostPages`, and where an entry of it is not understood. `seen`: entries so far, as pages may be short; `next`: the
 * carrier's own name of the page, once it has told one.
 */
export async function pagedSearch<T>(
  mostPages: number,
  ask: (at: { page: number; seen: number; next: string | null }) => Promise<Outcome<Page<T>>>,
): Promise<Outcome<T | null>> {
  let [seen, unreadable] = [0, 0]
  let next: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const outcome = await ask({ page, seen, next })
    if (outcome.kind !== 'yes') return outcome
    const { ours, length, more } = outcome.value
    if (ours !== null) return yes(ours)
    seen += length
    unreadable += outcome.value.unreadable
    next = outcome.value.next ?? null
    if (more) continue
    return unreadable > 0 ? { kind: 'unknown', said: 'some that it lists cannot be read' } : yes(null)
  }
  return { kind: 'unknown', said: `not among the ${seen} that it lists first` }
}
