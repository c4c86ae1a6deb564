import { formatLocal } from '../../../domain/calendar/zone.ts'
import type { Pickup } from '../../../operations/mail-couriers/courier-pickup.ts'
import { escaped, placeOf } from './courier-page.ts'

/** A courier's work as a page without scripts: a link to each booking's page, and to the files to download. */
export function pickupPage(pickup: Pickup, { path, query }: { path: string; query: string }): string {
  const { carrierName, sandbox, bookings, manifests } = pickup
  const file = (name: string) => escaped(`${path}/${name}?${query}`)
  const rows = bookings.map(({ facts: { consignment, booking, zone }, status, address }) => {
    const { from, to, readyAtMs, window } = consignment
    return `<tr><td><a href="${escaped(address)}">${escaped(booking.consignmentNumber)}</a></td><td>${escaped(placeOf(from))}</td>
<td>${formatLocal(zone, readyAtMs)}</td><td>${escaped(placeOf(to))}</td><td>${formatLocal(zone, window.toMs)}</td><td>${status}</td></tr>`
  })
  const papers = manifests.map(
    ({ id, orderId, deliveries }) =>
      `<li>${escaped(orderId ?? id)}, ${deliveries} consignments: <a href="${file(`manifests/${id}/summary.pdf`)}">PDF</a> <a href="${file(`manifests/${id}/articles.csv`)}">CSV</a></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(carrierName)}</title></head><body>
<h1>${escaped(carrierName)}: ${bookings.length} to carry</h1>
${sandbox ? '<p><strong>Test: do not carry.</strong></p>' : ''}
<p><a href="${file('bookings.csv')}">All as CSV</a></p>
<table><thead><tr><th>Booking</th><th>From</th><th>Ready</th><th>To</th><th>Until</th><th>Now</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>
<h2>Manifests</h2>
<ul>${papers.join('')}</ul>
</body></html>
`
}
