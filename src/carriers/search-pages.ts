import type { Outcome } from './carrier.ts'
import { yes } from './outcome.ts'

/** A page of what a carrier lists: ours where it is there, and whether it may be on a further one. */
export type Page<T> = { ours: T | null; length: number; more: boolean; unreadable: number }

/**
 * What a carrier lists under our key, or null. A miss is one only where all of the list could be read: it says nothing
 * past `mostPages`, and where an entry of it is not understood. `seen`: entries so far, as pages may be short.
 */
export async function searchPages<T>(
  mostPages: number,
  ask: (at: { page: number; seen: number }) => Promise<Outcome<Page<T>>>,
): Promise<Outcome<T | null>> {
  let [seen, unreadable] = [0, 0]
  for (let page = 0; page < mostPages; page += 1) {
    const outcome = await ask({ page, seen })
    if (outcome.kind !== 'yes') return outcome
    const { ours, length, more } = outcome.value
    if (ours !== null) return yes(ours)
    seen += length
    unreadable += outcome.value.unreadable
    if (more) continue
    return unreadable > 0 ? { kind: 'unknown', said: 'some that it lists cannot be read' } : yes(null)
  }
  return { kind: 'unknown', said: `not among the ${seen} that it lists first` }
}
