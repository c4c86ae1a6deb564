import { NOBODY } from '../../../src/domain/insights/figures.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { isoDay } from '../../shared/times.ts'
import { formatDate } from '../insights/format-figures.ts'
import { usePortal } from '../portal.ts'
import type { DeliveriesSearch } from '../routes.tsx'
import type { Filter } from './use-deliveries.ts'

const ENDED_TEXTS = {
  early: 'delivered before their delivery window',
  on_time: 'delivered within their delivery window',
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
  const { stores, store, nowMs } = usePortal()
  const year = isoDay(nowMs(), store.time_zone).slice(0, 4)
  const services = stores.flatMap((one) => one.services)
  const carrierName =
    all?.find((one) => one.provider === filter.provider)?.carrier_provider ??
    services.find((one) => one.provider === filter.provider)?.carrier ??
    filter.provider
  const words = formatEnded(filter, carrierName, year)
  if (words === null) return null
  const { ended_from, ended_to, timeliness, carrier, service, ...others } = search
  return (
    <p className="ended">
      {words}{' '}
      <button type="button" className="b s quiet" onClick={() => change(others)}>
        Clear this filter
      </button>
    </p>
  )
}

function formatEnded(
  { ended_from: from, ended_to: to, timeliness, provider, service }: Filter,
  carrier: string | undefined,
  year: string,
): string | null {
  if (!from && !to && !timeliness && !provider && !service) return null
  const by = provider === NOBODY ? 'your own couriers' : [carrier, service].filter(Boolean).join(' ')
  const how = [by && `carried by ${by}`, timeliness && ENDED_TEXTS[timeliness]].filter(Boolean).join(' and ')
  return [`Deliveries that ${formatDays(from, to, year)}`, how].filter(Boolean).join(', ')
}

function formatDays(from: string | undefined, to: string | undefined, year: string): string {
  const day = (date: string) => formatDate(date, year)
  if (from && to) {
    return from === to ? `ended on ${day(from)}` : `ended between ${day(from)} and ${day(to)}`
  }
  if (from) return `ended on or after ${day(from)}`
  return to ? `ended on or before ${day(to)}` : 'have ended'
}
