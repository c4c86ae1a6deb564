import { courierEntry, type LedgerEntry, type Order } from '../../../test/harness/ledger.ts'
import type { Mail } from '../../../test/mail-server.ts'
import { COURIER } from './account.ts'
import { readCourierMails } from './courier-mails.ts'

/** A duplicate mail is one booking: the mail has an id. */
export function mailEntries(mails: readonly Mail[]): LedgerEntry[] {
  const made = new Map<string, LedgerEntry>()
  return readCourierMails(mails).flatMap((mail): LedgerEntry | [] => {
    if (mail.what === 'manifest') return []
    if (mail.what === 'called_off') {
      const entry = made.get(mail.number)
      made.delete(mail.number)
      return entry ? { ...entry, what: 'cancelled' } : []
    }
    const { key, number, id } = mail
    if (made.get(number)?.id === id) return []
    const entry = { ...courierEntry(COURIER, key, id), numbers: [number] }
    made.set(number, entry)
    return entry
  })
}

/** Each manifest that the courier got as a mail. */
export function mailOrders(mails: readonly Mail[]): Order[] {
  const read = readCourierMails(mails)
  const keyOf = new Map(read.flatMap((mail) => (mail.what === 'booking' ? [[mail.number, mail.key]] : [])))
  const seen = new Set<string>()
  return read.flatMap((mail): Order | [] => {
    if (mail.what !== 'manifest') return []
    const message = JSON.stringify([mail.id, mail.order, mail.rows])
    if (seen.has(message)) return []
    seen.add(message)
    const byNumber = Map.groupBy(mail.rows, ({ number }) => number)
    return {
      provider: COURIER,
      id: mail.order,
      bookings: [...byNumber].map(([number, rows]) => ({
        key: keyOf.get(number) ?? number,
        id: number,
        numbers: rows.map(({ article }) => article),
      })),
    }
  })
}
