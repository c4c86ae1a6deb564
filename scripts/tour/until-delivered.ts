import { say, step } from './print.ts'
import type { TourContext } from './tour-context.ts'

const HOUR_MS = 3_600_000

/** Moves the clock past the window of the first delivery, and prints its timeline. */
export async function untilDelivered({ shop, order, setClock, until }: TourContext): Promise<void> {
  step('Move the clock past the window, and read the timeline', 'GET /demo/deliveries/{id}/events')
  const { to_datetime } = await until(order, 'booked')
  await setClock(Date.parse(to_datetime ?? '') + HOUR_MS)
  await until(order, 'delivered')
  for await (const { at, to, sub_status, detail } of shop.deliveries.listEvents(order)) {
    if (to || sub_status) say(`${at}  ${(to ?? `(${sub_status})`).padEnd(18)} ${detail ?? ''}`)
  }
}
