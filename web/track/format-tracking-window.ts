import { type Days, formatWindowAt } from '../../src/domain/calendar/format-window-at.ts'
import type { Tracking } from '../shared/api.generated.ts'
import { phoneZone } from '../shared/page-times.ts'

type Zones = Pick<Tracking, 'delivery_mode' | 'help' | 'time_zone'>
type Times = Zones & Pick<Tracking, 'from_datetime' | 'to_datetime' | 'now'>

/** The window by the clock of the address, which is named if the reader's clock differs. */
export function formatTrackingWindow(tracking: Times, days: Days, reader = phoneZone()): string {
  const { from_datetime: from = '', to_datetime: to = '', now } = tracking
  const window = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  return formatWindowAt(window, { zone: windowZone(tracking), reader, nowMs: Date.parse(now) }, days)
}

/** The zone of the customer's address; the store's if the parcels go there. */
export function windowZone({ delivery_mode, help, time_zone }: Zones): string {
  return delivery_mode === 'customer_pickup' ? help.time_zone : time_zone
}
