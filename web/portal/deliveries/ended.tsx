import { NOBODY } from '../../../src/domain/insights/figures.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { formatDate } from '../insights/format-figures.ts'
import type { DeliveriesSearch } from '../routes.tsx'
import type { Filter } from './use-deliveries.ts'

const ENDED_TEXTS = {
  early: 'delivered before their window',
  on_time: 'delivered within their window',
  late: 'delivered late',
} as const

type EndedProps = {
  filter: Filter
  search: DeliveriesSearch
  all: readonly Delivery[] | undefined
  change(search: DeliveriesSearch): void
}

/** Which finished deliveries are listed, as insights count them, and a link to all others. */
export function Ended({ filter, search, all, change }: EndedProps) {
  const words = formatEnded(filter, all)
  if (words === null) return null
  const { ended_from, ended_to, timeliness, carrier, service, ...others } = search
  return (
    <p className="ended">
      {words}{' '}
      <button type="button" className="b s quiet" onClick={() => change(others)}>
        Show all days
      </button>
    </p>
  )
}

function formatEnded(
  { ended_from: from, ended_to: to, timeliness, provider, service }: Filter,
  all: readonly Delivery[] | undefined,
): string | null {
  if (!from && !to && !timeliness && !provider && !service) return null
  const carrier = all?.find((one) => one.provider === provider)?.carrier_provider ?? provider
  const by = provider === NOBODY ? 'your own couriers' : [carrier, service].filter(Boolean).join(' ')
  return [
    `Deliveries that ended${formatDays(from, to)}`,
    by && `carried by ${by}`,
    timeliness && ENDED_TEXTS[timeliness],
  ]
    .filter(Boolean)
    .join(', ')
}

function formatDays(from: string | undefined, to: string | undefined): string {
  if (from && to) {
    return from === to
      ? ` on ${formatDate(from)}`
      : ` between ${dayWords(from, to)} and ${dayWords(to, from)}`
  }
  if (from) return ` on or after ${dayWords(from)}`
  return to ? ` on or before ${dayWords(to)}` : ''
}

/** With the year if the other day is in another one. */
function dayWords(day: string, other = day): string {
  const year = day.slice(0, 4)
  return year === other.slice(0, 4) ? formatDate(day) : `${formatDate(day)} ${year}`
}
