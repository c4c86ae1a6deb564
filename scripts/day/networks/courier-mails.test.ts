import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smtpChannel } from '../../../src/notify/email/smtp.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { COURIER, COURIER_MAIL } from './account.ts'
import { readCourierMails } from './courier-mails.ts'
import { mailEntries, mailOrders } from './mail-entries.ts'

const LINK = 'http://127.0.0.1:8080/courier/day/dlv_1-1?exp=1&sig=x'
const BOOKING = {
  id: 'dlv_1-1',
  to: COURIER_MAIL.jobs,
  from: 'Wattle & Co',
  subject: 'TEST Booking LC1: Fitzroy to Carlton 3053',
  body: `Please collect LC1 (our order DAY-1-van-delivered) at Fitzroy, 250 Brunswick St, Fitzroy, from Tue 24 Nov 15:00 on.\n\n${LINK}\n\nIf you receive this email twice, it is the same booking: LC1.`,
  attachments: [{ name: 'LC1.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-') }],
}
const CSV = 'manifest,consignment_number,reference,to,article_id\r\nLCM1,LC1,DAY-1,"Carlton, VIC",LC1001\r\n'
const MANIFEST = {
  id: 'man_1',
  to: COURIER_MAIL.depot,
  from: 'Wattle & Co',
  subject: 'TEST Manifest LCM1: 1 consignments',
  body: 'Manifest LCM1 has 1 consignments.',
  attachments: [{ name: 'LCM1.csv', mediaType: 'text/csv', bytes: Buffer.from(CSV) }],
}
const CALLED_OFF = {
  id: 'LC1-called-off',
  to: COURIER_MAIL.jobs,
  from: 'Bob’s Couriers',
  subject: 'TEST Called off: LC1',
  body: 'Please do not collect LC1.',
  attachments: [],
}

test('a courier reads bookings, manifests and cancellations, and reads a repeated email once', async (t) => {
  const server = await startMailServer()
  t.after(() => server.stop())
  const channel = smtpChannel({ url: server.url, host: 'wattle.example' })
  for (const mail of [
    BOOKING,
    BOOKING,
    { ...BOOKING, to: 'ada@example.com' },
    MANIFEST,
    MANIFEST,
    CALLED_OFF,
  ])
    assert.equal((await channel.send(mail)).kind, 'yes')

  assert.deepEqual(
    readCourierMails(server.mails).map(({ what }) => what),
    ['booking', 'booking', 'manifest', 'manifest', 'called_off'],
  )
  const [booking, , manifest] = readCourierMails(server.mails)
  assert.deepEqual(booking, {
    what: 'booking',
    id: '<dlv_1-1@wattle.example>',
    key: 'dlv_1-1',
    number: 'LC1',
    reference: 'DAY-1-van-delivered',
    link: LINK,
  })
  assert.deepEqual(manifest?.what === 'manifest' && manifest.rows, [
    { number: 'LC1', reference: 'DAY-1', article: 'LC1001' },
  ])

  assert.deepEqual(
    mailEntries(server.mails).map(({ what, provider, key }) => [what, provider, key]),
    [
      ['booked', COURIER, 'dlv_1-1'],
      ['cancelled', COURIER, 'dlv_1-1'],
    ],
  )
  assert.deepEqual(mailOrders(server.mails), [
    { provider: COURIER, id: 'LCM1', bookings: [{ key: 'dlv_1-1', id: 'LC1', numbers: ['LC1001'] }] },
  ])
})
