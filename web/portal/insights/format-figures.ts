import { MONTHS } from '../../../src/domain/calendar/format-window.ts'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'

/** Average cost to the cent of the deliveries that carriers made; null if there are none. */
export function eachCents({
  cost_cents,
  deliveries,
  own_deliveries = 0,
}: {
  cost_cents: number
  deliveries: number
  own_deliveries?: number
}): number | null {
  const charged = deliveries - own_deliveries
  return charged <= 0 ? null : Math.round(cost_cents / charged)
}

/** An average cost, or that nobody charged. */
export function formatEach(figures: Parameters<typeof eachCents>[0]): string {
  const cents = eachCents(figures)
  return cents === null ? 'No charge' : formatDollars(cents)
}

/** `94.2%`, with the number if it is small. "all" means every one, "none" not one. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return 'Not known'
  const rounded = Math.round((part / whole) * 1000) / 10
  const share = part === 0 || part === whole ? rounded : Math.min(99.9, Math.max(0.1, rounded))
  return whole < 30 ? `${share}% (of ${whole})` : `${share}%`
}

/** `$18.72`, and whole dollars above a hundred: `$1,126`. */
export function formatTotalCost(cents: number): string {
  return cents > 10_000 ? formatDollars(Math.round(cents / 100) * 100).slice(0, -3) : formatDollars(cents)
}

/** The possible savings of deliveries that a rule affected, as far as they are recorded. */
export function formatExtraCost({
  extra_cost_cents,
  priced_count,
  deliveries,
}: {
  extra_cost_cents: number
  priced_count: number
  deliveries: number
}): string {
  if (priced_count === 0) return 'Not known'
  return priced_count < deliveries
    ? `${formatTotalCost(extra_cost_cents)} (of ${priced_count})`
    : formatTotalCost(extra_cost_cents)
}

/** `7 Sep`, of `2026-09-07`; `7 Sep 2025` if that is not in the given year. */
export function formatDate(date: string, year = date.slice(0, 4)): string {
  const words = `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)}`
  return date.startsWith(year) ? words : `${words} ${date.slice(0, 4)}`
}

export function serviceName({
  carrier,
  provider,
  service,
}: {
  carrier?: string | null
  provider: string | null
  service: string | null
}): string {
  if (provider === null) return OWN
  return `${carrier ?? provider} ${service ?? ''}`.trim()
}

export const OWN = 'Own couriers'
