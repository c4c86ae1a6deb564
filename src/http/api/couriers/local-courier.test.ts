import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Api, deliveryBody, parcel, quoteBody, type Reply, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { type MailServer, mailServer } from '../../../../test/mail-server.ts'
import { untilStatus } from '../../../../test/until-status.ts'
import { until } from '../../../../test/wait-until.ts'

let api: Api
let mail: MailServer
const endings: (() => unknown)[] = []

before(async () => {
  const context = { after: (end: () => unknown) => void endings.push(end) }
  mail = await mailServer(context as never)
  api = await testApi(context as never, { smtpUrl: mail.url })
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const carriers = [BOB, ...document.carriers]
  const booking = { ...document.booking, order: { preferred: ['bob'] } }
  const applied = await api.operator('PUT /admin/accounts/demo', {
    body: { ...document, carriers, booking },
  })
  assert.ok(applied.status < 300, applied.text)
})
after(async () => {
  for (const end of endings.reverse()) await end()
})

const BOB = {
  provider: 'bob',
  adapter: 'local_courier',
  name: 'Bob’s Couriers',
  settings: { email: 'jobs@bob.example', cancel_by_email: true },
  services: [
    {
      service: 'VAN',
      carrier_code: 'VAN',
      delivery_type: 'flexible',
      manifest_group: 'BOB',
      timing: { on_day: { cut_off: '16:00', days: 0, from: '12:00', to: '20:00' } },
      rate_card: {
        zones: { metro: ['3000-3207'] },
        rates: [{ zone: 'metro', up_to_kg: 20, cents: 1_500 }],
      },
    },
  ],
}

/** The courier downloads their work and receives no email. */
const ANN = {
  ...BOB,
  provider: 'ann',
  name: 'Ann & Sons',
  services: BOB.services.map((service) => ({ ...service, delivery_type: 'express', manifest_group: 'ANN' })),
}

async function booked(over: object = {}): Promise<Reply['json']> {
  const body = deliveryBody({ delivery_type: 'flexible', book_delivery_now: true, ...over })
  const { status, json, text } = await api.call('POST /demo/deliveries', { body })
  assert.equal(status, 201, text)
  return json.data
}

function mailOf(subject: RegExp) {
  const found = mail.mails.filter((one) => subject.test(one.header('subject')))
  return { count: found.length, newest: found.at(-1) }
}

/** The URL in an email, without its host. */
function linkIn(text: string): string {
  return /http:\/\/drover\.test(\/courier\/\S+)/.exec(text)?.[1] ?? assert.fail(text)
}

function textOf(raw: string): string {
  const quoted = raw.replaceAll(/=\r\n/g, '')
  return quoted.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

test('a booking is an email with a PDF, a CSV and a link; the outbox shows it', async () => {
  const delivery = await booked()
  assert.equal(delivery.status, 'booked')
  assert.match(delivery.consignment_number, /^LC[A-Z0-9]{12}$/)
  assert.equal(delivery.parcels[0].article_id, `${delivery.consignment_number}001`)

  const { newest } = mailOf(new RegExp(delivery.consignment_number))
  assert.ok(newest)
  assert.deepEqual(newest.to, ['jobs@bob.example'])
  assert.match(newest.header('subject'), /^TEST Booking LC\w+: Melbourne to Carlton 3053$/)
  assert.equal(newest.header('message-id'), `<${delivery.id}-1@wattle.example>`)
  assert.match(newest.raw, /filename=LC\w+\.pdf/)
  assert.match(newest.raw, /filename=LC\w+\.csv/)

  const { json } = await api.call(`GET /demo/messages?delivery_id=${delivery.id}&kind=email`)
  const shown = json.data.find(({ template }: { template: string }) => template === 'courier_mail')
  assert.deepEqual(
    [shown.status, shown.to, shown.subject],
    ['sent', 'jobs@bob.example', newest.header('subject')],
  )

  const label = await api.call(`GET /demo/deliveries/${delivery.id}/label`)
  assert.equal(label.bytes.subarray(0, 5).toString(), '%PDF-')
})

test('the courier’s price list sets their area, weight limit and price', async () => {
  const ask = async (over: object) => {
    const body = { ...quoteBody, delivery_type: 'flexible', ...over }
    const { json } = await api.call('POST /demo/deliveries/quote-next-available?explain=true', { body })
    return JSON.stringify(json)
  }
  const far = { city: 'Geelong', state: 'VIC', post_code: '3220' }
  assert.match(await ask({ address: far }), /The price list of VAN has no zone for postcode 3220/)
  assert.match(
    await ask({ parcels: [{ ...parcel, weight_kg: 21 }] }),
    /the price list of VAN ends at a lower weight/,
  )
  assert.match(await ask({}), /"zone","cents":1500|metro, up to 20 kg/)
})

test('a lost response of the mail server leads to the same email again and one booking', async () => {
  mail.fate = 'keep-and-hang-up'
  const { id } = await booked()
  const waiting = await api.call(`GET /demo/deliveries/${id}`)
  assert.equal(waiting.json.data.status, 'requested')
  mail.fate = 'take'
  await api.fixture.setClock(TUESDAY_TEN_MS + 20 * 60_000)
  const delivery = await untilStatus(api, id, 'booked')
  const sent = mail.mails.filter((one) => one.header('message-id') === `<${id}-1@wattle.example>`)
  assert.ok(sent.length >= 2)
  assert.equal(new Set(sent.map((one) => one.header('subject'))).size, 1)
  assert.ok(sent[0]?.header('subject').includes(delivery.consignment_number))
  assert.deepEqual(await mailsShown(id), ['Booking sent'])
})

test('an address that the mail server rejects is skipped, and the next courier gets the booking', async () => {
  mail.fate = 'refuse'
  const delivery = await booked({ delivery_type: undefined })
  mail.fate = 'take'
  assert.equal(delivery.status, 'booked')
  assert.notEqual(delivery.carrier_provider, 'Bob’s Couriers')
})

test('the courier’s staff read the booking and report progress through the link in their email', async () => {
  const delivery = await booked({ special_instructions: '<script>alert(1)</script>' })
  const { newest } = mailOf(new RegExp(delivery.consignment_number))
  const link = linkIn(textOf(newest?.raw ?? ''))

  const page = await api.call(`GET ${link}`, { token: null })
  assert.equal(page.status, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
  assert.doesNotMatch(page.text, /<script/)
  for (const [kind, starts] of [
    ['pdf', '%PDF-'],
    ['csv', '\uFEFFconsignment_number,'],
  ] as const) {
    const paper = await api.call(`GET ${link.replace('?', `/booking.${kind}?`)}`, { token: null })
    assert.ok(paper.bytes.toString('utf8').startsWith(starts), kind)
  }

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const message = await api.call(`POST ${link}`, {
    token: null,
    headers: form,
    payload: 'status=collected&note=2+boxes',
  })
  assert.equal(message.status, 303, message.text)
  const { json } = await api.call(`GET /demo/deliveries/${delivery.id}`)
  assert.equal(json.data.status, 'collected')
  const events = await api.call(`GET /demo/deliveries/${delivery.id}/events`)
  assert.ok(events.text.includes('Collected, by the courier: 2 boxes'), events.text)

  for (const payload of ['status=constructor', 'note=only', 'status=delivered&odd=1', '']) {
    const wrong = await api.call(`POST ${link}`, { token: null, headers: form, payload })
    assert.equal(wrong.status, 422, payload)
  }
  assert.equal((await api.call(`POST ${link}`, { token: null })).status, 400, 'nothing at all')

  const openLink = (over: (link: string) => string) => api.call(`GET ${over(link)}`, { token: null })
  assert.equal(
    (await openLink((one) => one.replace(/sig=(.)/, (_, first) => `sig=${first === '_' ? 'A' : '_'}`)))
      .status,
    404,
  )
  assert.equal((await openLink((one) => one.replace(/exp=\d/, 'exp=9'))).status, 404)
  assert.equal((await openLink((one) => one.replace('-1?', '-2?'))).status, 404)
})

test('a clerk reports progress: a repeat changes nothing, a late report changes nothing, the end is final', async () => {
  const { id } = await booked()
  const report = (body: object) => api.call(`POST /demo/deliveries/${id}/carrier-status`, { body })
  const now = api.fixture.demo().nowMs()
  const at = new Date(now).toISOString()
  assert.equal((await report({ status: 'out_for_delivery', at })).json.data.status, 'collected')
  assert.equal((await report({ status: 'out_for_delivery', at })).status, 200)
  const early = await report({ status: 'delivered', at: '2026-11-20T10:00:00+11:00' })
  assert.deepEqual([early.status, early.json.errors[0].field], [422, 'at'])
  assert.equal((await report({ status: 'delivered' })).json.data.status, 'delivered')
  assert.equal((await report({ status: 'damaged' })).json.data.status, 'delivered')
  const events = await api.call(`GET /demo/deliveries/${id}/events`)
  const moves = events.json.data
    .filter(({ to }: { to?: string }) => to !== undefined)
    .map(({ to }: { to: string }) => to)
  assert.deepEqual(moves, ['created', 'requested', 'booked', 'collected', 'delivered'])
})

test('manual statuses are only for couriers without an interface', async () => {
  const body = deliveryBody({ delivery_type: 'express', book_delivery_now: true })
  const { json } = await api.call('POST /demo/deliveries', { body })
  const message = await api.call(`POST /demo/deliveries/${json.data.id}/carrier-status`, {
    body: { status: 'collected' },
  })
  assert.deepEqual([message.status, message.json.code], [409, 'carrier_reports_itself'])
})

test('a courier’s list is applied row by row, and unreadable rows are named by row and column', async () => {
  const [one, two] = [await booked(), await booked()]
  const list = [
    'Note,Status,Consignment number,At',
    `"ok, fine",collected,${one.consignment_number},`,
    `,eaten,${two.consignment_number},`,
    `,collected,LC000000000000,`,
    '',
    `,collected,${two.consignment_number},yesterday`,
    `,collected,${two.consignment_number},2026-11-20 10:00`,
    `,Delivered,${two.consignment_number},`,
    `,collected,${two.consignment_number}\0,`,
    `he said\0,collected,${two.consignment_number},`,
  ].join('\r\n')
  const send = (payload: string | Buffer) =>
    api.call('POST /demo/carriers/bob/statuses', { headers: { 'content-type': 'text/csv' }, payload })
  const { status, json, text } = await send(list)
  assert.equal(status, 200, text)
  assert.equal(json.data.accepted, 2)
  assert.deepEqual(
    json.data.errors.map(({ row, column }: { row: number; column: string }) => [row, column]),
    [
      [3, 'status'],
      [4, 'consignment_number'],
      [6, 'at'],
      [7, 'at'],
      [9, 'consignment_number'],
      [10, 'note'],
    ],
  )
  const after = await api.call(`GET /demo/deliveries/${two.id}`)
  assert.equal(after.json.data.status, 'delivered')

  for (const odd of ['', 'a,b\n1,2', Buffer.from([0xff, 0xfe, 0x00])])
    assert.equal((await send(odd)).status, 422)
})

test('a list that is sent twice is applied once, even without times', async () => {
  const { id, consignment_number } = await booked()
  const payload = `consignment_number,status\n${consignment_number},attempted\n`
  for (const _ of [1, 2]) {
    const { text } = await api.call('POST /demo/carriers/bob/statuses', {
      headers: { 'content-type': 'text/csv' },
      payload,
    })
    assert.deepEqual(JSON.parse(text), { data: { accepted: 1, errors: [] } })
  }
  const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
  const attempts = json.data.filter(({ type }: { type: string }) => type === 'delivery.exception')
  assert.equal(attempts.length, 1, JSON.stringify(json.data))
})

test('a courier’s list is accepted as spreadsheets save it', async () => {
  const send = (payload: Buffer) =>
    api.call('POST /demo/carriers/bob/statuses', { headers: { 'content-type': 'text/csv' }, payload })
  const at = new Date(api.fixture.demo().nowMs() + 60_000)
  const australian = new Intl.DateTimeFormat('en-AU', {
    timeZone: 'Australia/Melbourne',
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(at)
    .replaceAll('\u202f', ' ')
    .replace(/(\d\d),/, '20$1')
  const rows = (number: string) => [
    ['Café Müller’s runs', '', '', ''],
    ['Consignment Number', 'Status', 'At', 'Driver'],
    [`\u200b${number}`, 'Out for delivery', australian, 'Zoë'],
  ]
  const separated = (by: string) => (number: string) =>
    rows(number)
      .map((row) => row.join(by))
      .join('\r\n')
  const forms: [string, (number: string) => Buffer | Promise<Buffer>][] = [
    [
      'semicolons, Windows-1252',
      (number) => Buffer.from(separated(';')(number).replace('\u200b', ''), 'latin1'),
    ],
    ['tabs, UTF-16', (number) => Buffer.from(`\uFEFF${separated('\t')(number)}`, 'utf16le')],
    [
      'an Excel workbook',
      async (number) => {
        const { default: writeXlsx } = await import('write-excel-file/node')
        const data = rows(number).map((row) => row.map((value) => ({ value, type: String })))
        return Buffer.from(await writeXlsx(data).toBuffer())
      },
    ],
  ]
  for (const [name, fileOf] of forms) {
    const { id, consignment_number } = await booked()
    const { text } = await send(await fileOf(consignment_number))
    assert.deepEqual(JSON.parse(text), { data: { accepted: 1, errors: [] } }, name)
    const { json } = await api.call(`GET /demo/deliveries/${id}`)
    assert.equal(json.data.sub_status, 'out_for_delivery', name)
  }
})

test('a file that is not a list of statuses is rejected with what to change', async () => {
  const messages = async (payload: string | Buffer) => {
    const { status, json } = await api.call('POST /demo/carriers/bob/statuses', {
      headers: { 'content-type': 'text/csv' },
      payload,
    })
    assert.equal(status, 422)
    return json.errors.map(({ message }: { message: string }) => message).join(' ')
  }
  assert.match(await messages('consignment_number,statuss\nLC1,delivered'), /"statuss" should be status/)
  assert.match(
    await messages('consignment_number,status,att\nLC1,delivered,x'),
    /"att" is not a column .* "at"/,
  )
  assert.match(await messages('consignment_number,status,status\nLC1,a,b'), /status appears twice/)
  assert.match(await messages(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1])), /old .xls workbook/)
  assert.match(await messages(','.repeat(1_000_000)), /too many cells/)
  assert.match(
    await messages(`consignment_number,status\n${'LC1,delivered\n'.repeat(5_050)}`),
    /more than 5000 lines/,
  )
  assert.match(
    await messages('consignment_number,status\n"LC1,delivered'),
    /quotation mark that is not closed/,
  )
})

test('a manifest is an email with every consignment on it', async () => {
  const { reference, consignment_number } = await booked()
  const { status, json, text } = await api.call('POST /demo/store-manifests', {
    body: { store_reference: 'melbourne-cbd', create_manifest_now: true, delivery_references: [reference] },
  })
  assert.equal(status, 201, text)
  assert.match(json.data[0].external_ref.order_id, /^LCM[A-Z0-9]{12}$/)
  assert.equal(json.data[0].external_ref.order_summary.total_cost, 15)
  const { newest } = mailOf(new RegExp(json.data[0].external_ref.order_id))
  const csv = /filename=\S+\.csv[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(newest?.raw ?? '')?.[1] ?? ''
  assert.ok(Buffer.from(csv, 'base64').toString().includes(consignment_number))
})

test('an email cancels a booking where the courier has agreed to it', async () => {
  const { id, consignment_number } = await booked()
  const { json } = await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)
  assert.equal(json.data.status, 'cancelled')
  assert.equal(mailOf(new RegExp(`Called off: ${consignment_number}`)).count, 1)
})

test('the outbox of messages to couriers is paged one by one, newest first', async () => {
  const { id } = await booked()
  mail.fate = 'keep-and-hang-up'
  assert.equal(
    (await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)).json.code,
    'cancellation_pending',
  )
  mail.fate = 'take'
  const called = await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)
  assert.equal(called.json.data.status, 'cancelled', called.text)
  assert.deepEqual(await mailsShown(id), ['Called sent', 'Booking sent'])
  const later = await booked()

  // The former names.
  await api.fixture.deps.db.query(
    `insert into messages (account_id, message_id, kind, recipient, template, status, created_at, expires_at)
     select 'demo', id, 'email', 'jobs@bob.example', 'courier_mail', 'no_channel', now(), now()
     from unnest(array['msg_LC0123456789AB-called-off_courier', 'msg_01kax3v8y2m4s6t8w0z2b4d6f8-1_courier']) as id`,
  )
  const all = (await api.call('GET /demo/messages?kind=email&limit=200')).json.data
  const pages: Reply['json'][] = []
  for (let next: string | null = ''; next !== null; ) {
    const after = next === '' ? '' : `&after=${next}`
    const { status, json, text } = await api.call(`GET /demo/messages?kind=email&limit=1${after}`)
    assert.equal(status, 200, text)
    pages.push(...json.data)
    next = json.pagination.next
  }
  const ids = pages.map((one) => one.id)
  assert.deepEqual(
    ids,
    all.map((one: { id: string }) => one.id),
  )
  const place = (of: string, subject: RegExp) =>
    pages.findIndex((one) => one.delivery_id === of && subject.test(one.subject ?? ''))
  const [newest, calledOff, first] = [
    place(later.id, /^TEST Booking/),
    place(id, /^TEST Called off/),
    place(id, /^TEST Booking/),
  ]
  assert.ok(newest >= 0 && newest < calledOff && calledOff < first, `${newest} < ${calledOff} < ${first}`)
})

test('a courier finds their work through their link until it is replaced', async () => {
  const apply = async (settings: object) => {
    const { json: document } = await api.operator('GET /admin/accounts/demo')
    const others = document.carriers.filter(({ provider }: { provider: string }) => provider !== 'ann')
    const booking = { ...document.booking, order: { preferred: ['bob', 'ann'] } }
    const body = { ...document, booking, carriers: [...others, { ...ANN, settings }] }
    const { status, text } = await api.operator('PUT /admin/accounts/demo', { body })
    assert.ok(status < 300, text)
  }
  await apply({ pickup: 1 })
  const one = await booked({ delivery_type: 'express' })
  assert.equal(one.carrier_provider, ANN.name)
  assert.equal(
    mail.mails.filter(({ header }) => header('subject').includes(one.consignment_number)).length,
    0,
  )

  const { json } = await api.call('GET /demo/carriers/ann')
  const [, address = '', sig = ''] =
    /^http:\/\/drover\.test(\/pickup\/demo\/ann)\?(sig=\S+)$/.exec(json.data.pickup_url) ?? []
  const fetched = (path: string, query = sig) => api.call(`GET ${address}${path}?${query}`, { token: null })
  const page = await fetched('')
  assert.equal(page.status, 200)
  assert.match(page.text, /Ann &amp; Sons: 1 to collect/)
  assert.match(page.text, new RegExp(`/courier/demo/${one.id}-1\\?[^"]+">${one.consignment_number}`))
  const [head, line] = (await fetched('/bookings.csv')).text.split('\r\n')
  assert.match(head ?? '', /^\ufeff?consignment_number,/)
  assert.ok(line?.startsWith(one.consignment_number))

  const created = await api.call('POST /demo/store-manifests', {
    body: {
      store_reference: 'melbourne-cbd',
      create_manifest_now: true,
      delivery_references: [one.reference],
    },
  })
  const [manifest] = created.json.data
  assert.match((await fetched('')).text, new RegExp(`${manifest.external_ref.order_id}, 1 consignments`))
  assert.match((await fetched(`/manifests/${manifest.id}/summary.pdf`)).text, /^%PDF-/)
  assert.ok((await fetched(`/manifests/${manifest.id}/articles.csv`)).text.includes(one.consignment_number))

  assert.equal((await api.call('GET /demo/carriers/bob')).json.data.pickup_url, undefined)
  for (const wrong of ['sig=A', `${sig.slice(0, -2)}AA`]) assert.equal((await fetched('', wrong)).status, 404)
  assert.equal((await api.call(`GET ${address.replace('ann', 'bob')}?${sig}`, { token: null })).status, 404)

  await apply({ pickup: 2 })
  assert.equal((await fetched('')).status, 404)
})

/** A delivery's emails to its courier in the outbox, newest first. */
async function mailsShown(id: string): Promise<string[]> {
  const { json } = await api.call(`GET /demo/messages?delivery_id=${id}`)
  return json.data.flatMap(({ template, subject, status }: Record<string, string>) =>
    template === 'courier_mail' ? `${subject?.split(' ')[1]} ${status}` : [],
  )
}

test('if the answer to a booking is lost and its repeat is refused, no other courier is booked', async () => {
  mail.fate = 'keep-and-hang-up'
  const { id } = await booked()
  mail.fate = 'refuse'
  await api.fixture.setClock(api.fixture.demo().nowMs() + 60_000)
  const delivery = await untilStatus(api, id, 'on_hold')
  mail.fate = 'take'
  assert.equal(delivery.carrier_provider, 'Bob’s Couriers')
  assert.match(delivery.status_reason, /Bob’s Couriers did not answer our booking/)
})

test('if the answer to a manifest is lost and its repeat is refused, a person decides', async () => {
  const { reference } = await booked()
  mail.fate = 'keep-and-hang-up'
  const { status, json, text } = await api.call('POST /demo/store-manifests', {
    body: { store_reference: 'melbourne-cbd', create_manifest_now: true, delivery_references: [reference] },
  })
  assert.equal(status, 201, text)
  const show = async () => (await api.call(`GET /demo/manifests/${json.data[0].id}`)).json.data
  assert.equal((await show()).status, 'submitting')
  mail.fate = 'refuse'
  await api.fixture.setClock(api.fixture.demo().nowMs() + 20 * 60_000)
  await until(async () => (await show()).status !== 'submitting', 'its repeat is refused')
  mail.fate = 'take'
  assert.equal((await show()).status, 'on_hold')
})
