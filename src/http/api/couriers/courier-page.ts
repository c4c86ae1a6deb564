import { COURIER_STEPS } from '../../../domain/delivery/courier-steps.ts'
import type { Delivery } from '../../../domain/delivery/delivery.ts'
import { isFinal } from '../../../domain/delivery/status.ts'
import {
  deliverWords,
  listInstructions,
  type NoteFacts,
  readyWords,
} from '../../../operations/mail-couriers/courier-note.ts'

/**
 * The page behind the link in a courier's email: plain HTML that works on any phone, without scripts.
 * `query` is the query of the page's own URL, which the document links need.
 */
export function courierPage(
  { delivery, facts }: { delivery: Delivery; facts: NoteFacts },
  { path, query }: { path: string; query: string },
): string {
  const { consignment, booking } = facts
  const { from, to } = consignment
  /** Names, and values in HTML. */
  const rows: [name: string, html: string][] = [
    ['Order', isolated(consignment.reference)],
    ['From', toPlace(from)],
    ['Ready', escaped(readyWords(facts))],
    ['To', toPlace(to)],
    ['Deliver', escaped(deliverWords(facts))],
    [
      'Parcels',
      consignment.parcels
        .map(({ quantity, type, weightKg }) => escaped(`${quantity} ${type}, ${weightKg} kg`))
        .join('; '),
    ],
    ['Please note', listInstructions(consignment).map(isolated).join(' ')],
    ['Now', escaped([delivery.status, delivery.subStatus].filter(Boolean).join(', ').replaceAll('_', ' '))],
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(booking.consignmentNumber)}</title></head><body>
<h1>${escaped(booking.consignmentNumber)}</h1>
${facts.sandbox ? '<p><strong>Test: do not carry.</strong></p>' : ''}
<dl>${rows.map(([name, html]) => `<dt>${name}</dt><dd>${html || '–'}</dd>`).join('')}</dl>
<p><a href="${escaped(`${path}/booking.pdf?${query}`)}">Booking (PDF)</a> <a href="${escaped(`${path}/booking.csv?${query}`)}">CSV</a></p>
${isFinal(delivery.status) ? '' : form(`${path}?${query}`)}
</body></html>
`
}

function form(action: string): string {
  const choices = Object.entries(COURIER_STEPS).map(
    ([step, { text }]) => `<option value="${step}">${escaped(text)}</option>`,
  )
  return `<form method="post" action="${escaped(action)}">
<p><label>Status <select name="status">${choices.join('')}</select></label></p>
<p><label>Note <input name="note" maxlength="200"></label></p>
<p><button>Send to the store</button></p>
</form>`
}

/** A party's name and address in HTML. */
export function toPlace({
  name,
  company,
  phone,
  address,
  address2,
  city,
  state,
  postCode,
}: NoteFacts['consignment']['to']): string {
  const street = [address2, address].filter(Boolean).join(', ')
  return [name, company === name ? null : company, street, `${city} ${state} ${postCode}`, phone]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map((part) => isolated(part as string))
    .join(', ')
}

/** A text in HTML that keeps its own direction: an Arabic name would move the number of the street after it. */
export function isolated(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
