import { say, step } from './print.ts'
import type { Data, TourContext } from './tour-context.ts'

const HOUR_MS = 3_600_000

/** Moves the clock past the window of the first delivery, and prints its timeline. */
export async function untilDelivered({ shop, order, setClock, until }: TourContext): Promise<void> {
  step('Move the clock past the window, and read the timeline', 'GET /demo/deliveries/{id}/events')
  const { to_datetime } = await until(order, 'booked')
  await setClock(Date.parse(to_datetime) + HOUR_MS)
  await until(order, 'delivered')
  const events = await shop.get<Data<{ at: string; to?: string; sub_status?: string; detail?: string }[]>>(
    `/deliveries/${order}/events`,
  )
  for (const { at, to, sub_status, detail } of events.data) {
    if (to || sub_status) say(`${at}  ${(to ?? `(${sub_status})`).padEnd(18)} ${detail ?? ''}`)
  }
}
