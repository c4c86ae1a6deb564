import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkBooking } from '../shared/api.generated.ts'
import type { BookingSession } from './booking-session.ts'
import { calendarEntry } from './calendar-entry.ts'

test('a line of a calendar entry has at most 75 bytes, and its characters stay whole', () => {
  const brand = `${'墨'.repeat(40)}🌾${'é'.repeat(60)}`
  const booking = {
    reference: 'WC-1',
    from_datetime: '2026-11-25T08:00:00+11:00',
    to_datetime: '2026-11-25T18:00:00+11:00',
    tracking_url: `https://drover.test/track/${'A'.repeat(48)}`,
  } as LinkBooking
  const order = { brand, reference: 'WC-1', address: { address: '1 Kerr St', city: 'Fitzroy' } }
  const url = calendarEntry(booking, order as BookingSession['order'])
  const text = decodeURIComponent(url.slice(url.indexOf(',') + 1))
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  assert.ok(text.replaceAll('\r\n ', '').includes(`SUMMARY:${brand}: order WC-1 comes\r\n`))
})
