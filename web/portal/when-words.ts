import type { Delivery } from '../shared/api.generated.ts'
import { windowWords } from '../shared/times.ts'

/** When a delivery comes, as far as that is known. */
export function whenWords(delivery: Delivery, zone: string, nowMs: number): string {
  const { from_datetime, to_datetime, status } = delivery
  if (!from_datetime || !to_datetime || status === 'on_hold') return 'Not known'
  const words = windowWords(Date.parse(from_datetime), Date.parse(to_datetime), zone, nowMs)
  return status === 'requested' ? `about ${words}` : words
}
