/** What one cost, to the cent; 0 where there was none. */
export function eachCents({ cost_cents, deliveries }: { cost_cents: number; deliveries: number }): number {
  return deliveries === 0 ? 0 : Math.round(cost_cents / deliveries)
}

/** `94.2%`, with how many where they are few. */
export function shareWords(part: number, whole: number): string {
  if (whole === 0) return 'Not known'
  const share = `${Math.round((part / whole) * 1000) / 10}%`
  return whole < 30 ? `${share} (of ${whole})` : share
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
  if (provider === null) return 'Own couriers'
  return `${carrier ?? provider} ${service ?? ''}`.trim()
}
