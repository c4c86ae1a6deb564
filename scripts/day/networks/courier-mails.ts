import { parse } from 'csv-parse/sync'
import type { Mail } from '../../../test/mail-server.ts'
import { COURIER_MAIL } from './account.ts'
import { partsOfMail } from './mime.ts'

/** The mails of a courier, parsed. The same `id` twice is a duplicate of one message. */
export type CourierMail =
  | { what: 'booking'; id: string; key: string; number: string; reference: string; link: string }
  | { what: 'manifest'; id: string; order: string; rows: readonly ManifestRow[] }
  | { what: 'called_off'; id: string; number: string }

export type ManifestRow = { number: string; reference: string; article: string }

/** The courier's mails among all that the server accepted, in order. */
export function readCourierMails(mails: readonly Mail[]): CourierMail[] {
  return mails.flatMap((mail) => {
    if (!mail.to.some((to) => to === COURIER_MAIL.jobs || to === COURIER_MAIL.depot)) return []
    const subject = mail.header('subject').replace(/^TEST /, '')
    const id = mail.header('message-id')
    const parts = partsOfMail(mail.raw)
    return bookingIn(id, subject, parts) ?? manifestIn(id, subject, parts) ?? calledOffIn(id, subject) ?? []
  })
}

type Parts = ReturnType<typeof partsOfMail>

function bookingIn(id: string, subject: string, parts: Parts): CourierMail | null {
  const number = /^Booking (\S+):/.exec(subject)?.[1]
  if (number === undefined) return null
  const text = textOf(parts)
  const reference = /our order ([^)\s]+)\)/.exec(text)?.[1] ?? ''
  const link = /https?:\/\/\S+\/courier\/\S+/.exec(text)?.[0] ?? ''
  return { what: 'booking', id, key: id.slice(1, id.indexOf('@')), number, reference, link }
}

function manifestIn(id: string, subject: string, parts: Parts): CourierMail | null {
  const order = /^Manifest (\S+):/.exec(subject)?.[1]
  if (order === undefined) return null
  const csv = parts.find(({ name }) => name === `${order}.csv`)?.text ?? ''
  const [head = [], ...lines]: string[][] = parse(csv, { bom: true, relax_column_count: true })
  const column = (name: string) => head.indexOf(name)
  const rows = lines
    .filter((cells) => cells.length > 1)
    .map((cells) => ({
      number: cells[column('consignment_number')] ?? '',
      reference: cells[column('reference')] ?? '',
      article: cells[column('article_id')] ?? '',
    }))
  return { what: 'manifest', id, order, rows }
}

function calledOffIn(id: string, subject: string): CourierMail | null {
  const number = /^Called off: (\S+)$/.exec(subject)?.[1]
  return number === undefined ? null : { what: 'called_off', id, number }
}

function textOf(parts: Parts): string {
  return parts.find(({ name }) => name === null)?.text ?? ''
}
