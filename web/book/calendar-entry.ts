import type { LinkBooking } from '../shared/api.generated.ts'
import type { BookingSession } from './booking-session.ts'

/** The window as a calendar entry (RFC 5545), as a data URL for download. */
export function calendarEntry(
  booking: LinkBooking,
  { brand, address, reference }: BookingSession['order'],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Drover//Booking//EN',
    'BEGIN:VEVENT',
    `UID:${booking.reference.replace(/[^\w-]/g, '-')}@drover`,
    `DTSTAMP:${stamp(booking.from_datetime)}`,
    `DTSTART:${stamp(booking.from_datetime)}`,
    `DTEND:${stamp(booking.to_datetime)}`,
    `SUMMARY:${plain(`${brand}: order ${reference} comes`)}`,
    `LOCATION:${plain(`${address.address}, ${address.city}`)}`,
    `URL:${booking.tracking_url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(lines.map(folded).join('\r\n'))}`
}

function stamp(iso = ''): string {
  return new Date(iso).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

function plain(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\;,]/g, '\\$&')
}

/** RFC 5545 section 3.1: lines are 75 bytes of UTF-8 at most; a longer one continues after a space. */
function folded(line: string): string {
  let text = ''
  let bytes = 0
  for (const character of line) {
    const added = new TextEncoder().encode(character).length
    if (bytes + added > 75) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += added
  }
  return text
}
