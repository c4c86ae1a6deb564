import { NOBODY } from '../../../src/domain/insights/figures.ts'
import type { DeliveriesSearch } from '../routes.tsx'

/** The list's filter for one service, or for all of one carrier. */
export function toServiceFilter({
  provider,
  service = null,
}: {
  provider: string | null
  service?: string | null
}): DeliveriesSearch {
  return { carrier: provider ?? NOBODY, ...(service !== null && { service }) }
}
