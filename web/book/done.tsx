import { formatDay, wallOfIso } from '../../src/domain/calendar/format-window.ts'
import { formatWindowAt, wallAt } from '../../src/domain/calendar/format-window-at.ts'
import type { LinkBooking, PageHelp } from '../shared/api.generated.ts'
import { localAddress } from '../shared/api.ts'
import { phoneZone } from '../shared/page-times.ts'
import { Help } from './booking-page.tsx'
import type { BookingSession } from './booking-session.ts'
import { calendarEntry } from './calendar-entry.ts'

/** The booking, made now or before. */
export function Done(props: {
  booking: LinkBooking
  bookingSession: BookingSession
  help: PageHelp
  fresh: boolean
}) {
  const { booking, bookingSession, help, fresh } = props
  const { order } = bookingSession
  const { from_datetime: from, to_datetime: to, tracking_url } = booking
  const today = wallOfIso(order.now).day
  const window = from && to && { fromMs: Date.parse(from), toMs: Date.parse(to) }
  const clocks = { zone: order.time_zone, reader: phoneZone(), nowMs: Date.parse(order.now) }
  return (
    <div className="done" aria-live="polite">
      <p className="s">
        <b>{fresh ? `Done, ${order.customer.first_name}.` : 'This is booked already.'}</b>{' '}
        {window ? `It comes ${formatDay(wallAt(order.time_zone, window.fromMs).day, today)},` : ''}
      </p>
      <h1>{window ? formatWindowAt(window, clocks, 'hours') : 'We’ll let you know when it’s coming'}</h1>
      <p>
        {order.address.address}, {order.address.city}
      </p>
      <p className="dim">We’ll text …{order.phone_last_digits} when it’s on its way.</p>
      <div className="go">
        <a className="b next" href={localAddress(tracking_url)}>
          Track it
        </a>
        {from && to && (
          <a className="b" download="delivery.ics" href={calendarEntry(booking, order)}>
            Add to calendar
          </a>
        )}
      </div>
      <Help help={help} />
    </div>
  )
}
