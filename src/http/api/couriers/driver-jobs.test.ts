import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Api, customer, deliveryBody, parcel, testApi } from '../../../../test/api.ts'
import { codeFor, driverApi, JPEG, MIA, ownDelivery, SAM } from '../../../../test/driver.ts'
import { until } from '../../../../test/wait-until.ts'
import { signPath } from '../../../operations/secrets/sign.ts'

const photo = (id: string, over: object = {}) => ({ proof: { id, kind: 'photo', image: JPEG, ...over } })

async function statusOf({ call }: Api, id: string): Promise<string> {
  return (await call(`GET /demo/deliveries/${id}`)).json.data.status
}

type Message = { template: string; text: string; status: string }

/** The links are generated when the messages are sent. */
async function sentMessages({ call }: Api, id: string): Promise<Message[]> {
  const read = async (): Promise<Message[]> => (await call(`GET /demo/messages?delivery_id=${id}`)).json.data
  await until(async () => (await read()).every(({ status }) => status !== 'queued'), 'its messages are sent')
  return read()
}

test('a courier gets an SMS with a link, accepts the job, collects it and proves the delivery', async (t) => {
  const api = await testApi(t)
  const delivery = await ownDelivery(api, SAM, { special_instructions: 'Blue door.' })
  assert.equal(delivery.status, 'requested')
  assert.equal(delivery.status_reason, 'Waiting for the staff courier to accept it.')
  const sam = await driverApi(api, SAM)

  const offer = (await sentMessages(api, delivery.id)).find(({ template }) => template === 'driver_offer')
  assert.ok(offer)
  const link = /http:\/\/drover\.test\/driver\/jobs\/([\w-]{43})$/.exec(offer.text)?.[1]
  assert.ok(link, offer.text)
  assert.match(offer.text, /a job from Fitzroy to Carlton, .*\d km\. Take it: /)

  const page = await api.call(`GET /driver/jobs/${link}`, {
    token: null,
    headers: { accept: 'text/html,*/*' },
  })
  assert.equal(page.status, 303)
  assert.equal(page.headers.location, `/driver#/jobs/${link}`)
  assert.equal(
    (await api.call(`GET /driver/jobs/${link}`, { token: null })).status,
    401,
    'a link is no login',
  )
  const offered = (await sam.call(`GET /driver/jobs/${link}`)).json.data
  assert.equal(offered.id, delivery.id)
  assert.equal(offered.offered, true)
  assert.deepEqual(offered.to, { city: 'Carlton', state: 'VIC', post_code: '3053' })

  const acceptedJob = (await sam.call(`POST /driver/jobs/${delivery.id}/accept`)).json.data
  assert.equal(acceptedJob.status, 'assigned')
  assert.match(acceptedJob.consignment_number, /^OWN[0-9A-Z]{12}$/)
  assert.equal(acceptedJob.to.phone, '+61491570156')
  assert.equal(acceptedJob.special_instructions, 'Blue door.')
  assert.equal(
    (await sam.call(`POST /driver/jobs/${delivery.id}/accept`)).json.data.status,
    'assigned',
    'twice',
  )

  const booked = (await api.call(`GET /demo/deliveries/${delivery.id}`)).json.data
  assert.equal(booked.consignment_number, acceptedJob.consignment_number)
  assert.ok(booked.booked_at)
  const label = await api.call(`GET /demo/deliveries/${delivery.id}/label?format=zpl`)
  assert.equal(label.status, 200, label.text)
  assert.ok(label.text.includes(`^FDdlv__${delivery.id.slice(4)}^FS`), 'the barcode is the delivery’s own id')
  const packed = await api.call(`GET /demo/deliveries/${delivery.id}/label?format=zpl`, {
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], ['gzip', 'accept-encoding'])
  assert.equal(gunzipSync(packed.bytes).toString(), label.text)
  const late = { ready_for_pickup_at: '2026-11-24T15:00:00+11:00' }
  const amend = await api.call(`PATCH /demo/deliveries/${delivery.id}/amend`, { body: late })
  assert.equal(amend.json.code, 'delivery_already_consigned')

  assert.equal((await sam.call(`POST /driver/jobs/${delivery.id}/approach`)).json.data.status, 'approaching')
  const collected = await sam.call(`POST /driver/jobs/${delivery.id}/collect`, {
    body: { parcel_references: ['P1'] },
  })
  assert.equal(collected.json.data.status, 'collected')
  assert.equal(
    (await api.call(`PATCH /demo/deliveries/${delivery.id}/request-cancel`)).json.code,
    'not_cancellable',
  )
  const body = photo('proof-0001', { at: '2026-11-24T10:00:00+11:00', lat: -37.8, lng: 144.97 })
  const done = await sam.call(`POST /driver/jobs/${delivery.id}/deliver`, { body })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.json.data.status, 'delivered')
  const again = await sam.call(`POST /driver/jobs/${delivery.id}/deliver`, { body })
  assert.deepEqual(again.json, done.json, 'a delayed proof is stored once')
  const headers = { 'content-type': 'application/json' }
  for (const [path, max] of [
    [`${delivery.id}/deliver`, '7 MiB'],
    [`${delivery.id}/fail`, '7 MiB'],
    [`${delivery.id}/collect`, '512 KiB'],
    [`${delivery.id}/approach`, '16 KiB'],
  ] as const) {
    const [size, unit] = max.split(' ')
    const payload = 'x'.repeat(Number(size) * (unit === 'MiB' ? 1024 ** 2 : 1024) + 1)
    const tooLarge = await sam.call(`POST /driver/jobs/${path}`, { payload, headers })
    assert.deepEqual([tooLarge.status, tooLarge.json.detail], [413, `The body is larger than ${max}.`], path)
  }
  const other = await sam.call(`POST /driver/jobs/${delivery.id}/deliver`, { body: photo('proof-0002') })
  assert.equal(other.status, 404)
  assert.deepEqual((await sam.call('GET /driver/jobs')).json.data, [])

  const { json: history } = await api.call(`GET /demo/deliveries/${delivery.id}/events`)
  assert.deepEqual(
    history.data.map((one: { type: string; from?: string; to?: string }) => [one.type, one.from, one.to]),
    [
      ['delivery.created', undefined, 'created'],
      ['delivery.requested', 'created', 'requested'],
      ['staff_courier.assigned', undefined, undefined],
      ['delivery.booked', 'requested', 'booked'],
      ['delivery.status_changed', 'booked', 'assigned'],
      ['delivery.status_changed', 'assigned', 'approaching'],
      ['delivery.status_changed', 'approaching', 'collected'],
      ['delivery.status_changed', 'collected', 'delivered'],
    ],
  )
})

test('a driver sees only their own jobs, and only what the work needs', async (t) => {
  const api = await testApi(t)
  const delivery = await ownDelivery(api)
  const [sam, mia] = [await driverApi(api, SAM), await driverApi(api, MIA)]
  assert.deepEqual((await mia.call('GET /driver/jobs')).json.data, [])
  for (const verb of ['accept', 'refuse', 'approach', 'collect', 'return']) {
    assert.equal((await mia.call(`POST /driver/jobs/${delivery.id}/${verb}`)).status, 404, verb)
  }
  assert.equal((await mia.call(`GET /driver/jobs/${delivery.id}`)).status, 404)
  assert.equal(await statusOf(api, delivery.id), 'requested')

  const acceptedJob = await sam.call(`POST /driver/jobs/${delivery.id}/accept`)
  for (const hidden of [customer.last_name, customer.email, 'price', 'email', 'metadata']) {
    assert.ok(!acceptedJob.text.includes(hidden), hidden)
  }
  assert.deepEqual(Object.keys(acceptedJob.json.data.to).sort(), [
    'address',
    'city',
    'lat',
    'lng',
    'name',
    'phone',
    'post_code',
    'state',
  ])
  for (const path of ['/demo/deliveries', '/demo/staff-couriers', '/admin/accounts']) {
    assert.equal((await sam.call(`GET ${path}`)).status, 401, path)
  }
})

test('a driver is told when they have more than the 200 jobs on the page', async (t) => {
  const api = await testApi(t)
  const { id } = await ownDelivery(api)
  const sam = await driverApi(api, SAM)
  const list = async () => {
    const { data, pagination } = (await sam.call('GET /driver/jobs')).json
    return [data.length, pagination]
  }
  await copyOffer(api, id, 1, 199)
  assert.deepEqual(await list(), [200, { next: null, has_more: false }])
  await copyOffer(api, id, 200, 200)
  assert.deepEqual(await list(), [200, { next: null, has_more: true }])
})

/** Copies the delivery and its offer once for each number. */
async function copyOffer({ fixture }: Api, id: string, from: number, to: number): Promise<void> {
  for (const table of ['deliveries', 'courier_offers']) {
    await fixture.deps.db.query(
      `insert into ${table}
       select one.* from ${table} as d, generate_series($2::int, $3::int) as n,
         jsonb_populate_record(d, jsonb_build_object(
           'delivery_id', left($1, -4) || lpad(n::text, 4, '0'), 'reference', 'COPY-' || n, 'due_at', null)) as one
       where d.delivery_id = $1`,
      [id, from, to],
    )
  }
}

test('a refused, unanswered or returned job goes back to the store and to another courier', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const assign = (id: string, phone: string, driver_name: string) =>
    api.call(`PATCH /demo/deliveries/${id}/assign`, { body: { staff_courier: { phone, driver_name } } })

  const refused = await ownDelivery(api)
  const no = await sam.call(`POST /driver/jobs/${refused.id}/refuse`, { body: { reason: 'Flat tyre.' } })
  assert.equal(no.json.data.status, 'on_hold')
  const held = (await api.call(`GET /demo/deliveries/${refused.id}`)).json.data
  assert.equal(held.status_reason, 'Sam Okafor turned it down: Flat tyre.')
  assert.equal((await sam.call(`POST /driver/jobs/${refused.id}/accept`)).status, 404)
  assert.equal((await api.call(`PATCH /demo/deliveries/${refused.id}/book`)).json.code, 'not_bookable')

  const reassigned = await assign(refused.id, MIA, 'Mia Tran')
  assert.equal(reassigned.status, 200, reassigned.text)
  assert.equal(reassigned.json.data.status, 'requested')
  assert.equal(reassigned.json.data.staff_courier.phone, MIA)
  const mia = await driverApi(api, MIA)
  assert.equal((await mia.call(`POST /driver/jobs/${refused.id}/accept`)).json.data.status, 'assigned')
  const back = await mia.call(`POST /driver/jobs/${refused.id}/refuse`, { body: { reason: 'Ill.' } })
  assert.equal(back.json.data.status, 'on_hold')
  const free = (await api.call(`GET /demo/deliveries/${refused.id}`)).json.data
  assert.equal(free.consignment_number, undefined)
  assert.match(free.status_reason, /Mia Tran gave it back: Ill\./)

  const unanswered = await ownDelivery(api)
  await api.fixture.setClock(api.fixture.demo().nowMs() + 15 * 60_000)
  // Too late: 409, then 404 once the store has the job back.
  assert.ok([409, 404].includes((await sam.call(`POST /driver/jobs/${unanswered.id}/accept`)).status))
  await until(async () => (await statusOf(api, unanswered.id)) === 'on_hold', 'the store has it back')
  const late = (await api.call(`GET /demo/deliveries/${unanswered.id}`)).json.data
  assert.equal(late.status_reason, 'Sam Okafor did not answer within 15 minutes.')

  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const shortOffers = { ...document, own_network: { offer_minutes: 2 } }
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body: shortOffers })).status, 200)
  const short = await ownDelivery(api)
  await api.fixture.setClock(api.fixture.demo().nowMs() + 2 * 60_000)
  await until(async () => (await statusOf(api, short.id)) === 'on_hold', 'the account’s own offer time ends')

  // A job may be reassigned from a driver who accepted it, but not from one who collected it.
  await assign(unanswered.id, SAM, 'Sam Okafor')
  await sam.call(`POST /driver/jobs/${unanswered.id}/accept`)
  assert.equal((await assign(unanswered.id, MIA, 'Mia Tran')).json.data.status, 'requested')
  assert.equal((await sam.call(`GET /driver/jobs/${unanswered.id}`)).status, 404)
  await mia.call(`POST /driver/jobs/${unanswered.id}/accept`)
  await mia.call(`POST /driver/jobs/${unanswered.id}/collect`)
  assert.equal((await assign(unanswered.id, SAM, 'Sam Okafor')).json.code, 'not_assignable')
})

test('an undeliverable parcel is retried or returned, depending on the reason', async (t) => {
  const api = await testApi(t, { work: true })
  const sam = await driverApi(api, SAM)
  const collected = async () => {
    const { id } = await ownDelivery(api)
    await sam.call(`POST /driver/jobs/${id}/accept`)
    await sam.call(`POST /driver/jobs/${id}/collect`)
    return id
  }
  const cases: [reason: string, status: string, subStatus: string][] = [
    ['nobody_home', 'collected', 'attempted'],
    ['cannot_get_in', 'collected', 'attempted'],
    ['other', 'collected', 'attempted'],
    ['wrong_address', 'pending_return', 'wrong_address'],
    ['refused', 'pending_return', 'refused'],
    ['damaged', 'pending_return', 'damaged'],
  ]
  for (const [reason, status, subStatus] of cases) {
    const id = await collected()
    const failed = await sam.call(`POST /driver/jobs/${id}/fail`, { body: { reason, note: 'Dog.' } })
    assert.equal(failed.json.data.status, status, reason)
    const { data } = (await api.call(`GET /demo/deliveries/${id}`)).json
    assert.deepEqual([data.status, data.sub_status], [status, subStatus], reason)
    assert.match(data.status_reason, /Dog\.$/)
    const ended =
      status === 'collected'
        ? await sam.call(`POST /driver/jobs/${id}/deliver`, { body: photo(`second-try-${reason}`) })
        : await sam.call(`POST /driver/jobs/${id}/return`)
    assert.equal(ended.json.data.status, status === 'collected' ? 'delivered' : 'returned', reason)
  }
  const seen = await collected()
  const nameless = await sam.call(`POST /driver/jobs/${seen}/fail`, {
    body: { reason: 'damaged', image: JPEG },
  })
  assert.deepEqual([nameless.status, nameless.json.errors[0].field], [422, 'id'])
  const withPhoto = { id: 'fail-photo-1', reason: 'damaged', image: JPEG }
  assert.equal((await sam.call(`POST /driver/jobs/${seen}/fail`, { body: withPhoto })).status, 200)
  const photoOf = await api.call(`GET /demo/deliveries/${seen}/proof?format=failed`)
  assert.deepEqual(photoOf.bytes, Buffer.from(JPEG, 'base64'), 'the store sees the reason')
  assert.equal(photoOf.headers['content-type'], 'image/jpeg')
  const itsProof = `/demo/deliveries/${seen}/proof`
  const signature = signPath(api.fixture.deps.secretKey, itsProof, Date.now() + 60_000)
  const led = await api.call(`GET ${itsProof}?${signature}&format=failed`, { token: null })
  assert.deepEqual(
    [led.status, led.json?.code],
    [403, 'invalid_signature'],
    'a link to the proof opens no other',
  )
  // A report that arrives after the delivery is already on its way back: a second photo, and the first sent again.
  const later = { id: 'fail-photo-2', reason: 'damaged', image: JPEG }
  for (const again of [later, later, withPhoto]) {
    const { status, json } = await sam.call(`POST /driver/jobs/${seen}/fail`, { body: again })
    assert.deepEqual([status, json.data.status], [200, 'pending_return'])
  }
  const { rows: kept } = await api.fixture.deps.db.query(
    'select proof_id from delivery_proofs where delivery_id = $1 and bytes is not null order by proof_id',
    [seen],
  )
  assert.deepEqual(
    kept.map(({ proof_id }) => proof_id),
    ['fail-photo-1', 'fail-photo-2'],
  )
  const { data: damaged } = (await api.call(`GET /demo/deliveries/${seen}`)).json
  assert.equal(damaged.status_reason, 'It is damaged. There is a photo.')

  const twice = await collected()
  const body = { id: 'fail-0001', reason: 'nobody_home', at: '2026-11-24T10:00:00+11:00' }
  const answers = [
    await sam.call(`POST /driver/jobs/${twice}/fail`, { body }),
    await sam.call(`POST /driver/jobs/${twice}/fail`, { body }),
  ]
  assert.deepEqual(answers[0]?.json, answers[1]?.json)
  const { data: timeline } = (await api.call(`GET /demo/deliveries/${twice}/events`)).json
  const exceptions = timeline.filter(({ type }: { type: string }) => type === 'delivery.exception')
  assert.equal(exceptions.length, 1, 'a failure that was sent twice creates one event')
  const proof = await api.call(`GET /demo/deliveries/${twice}/proof`)
  assert.equal(proof.json.code, 'proof_not_available', 'it is not proof of delivery')

  const early = await ownDelivery(api)
  await sam.call(`POST /driver/jobs/${early.id}/accept`)
  const notYet = await sam.call(`POST /driver/jobs/${early.id}/fail`, { body: { reason: 'damaged' } })
  assert.equal(notYet.json.code, 'job_not_open')

  const split = await ownDelivery(api, SAM, { parcels: [{ ...parcel, quantity: 3 }] })
  await sam.call(`POST /driver/jobs/${split.id}/accept`)
  const take = (...parcels: object[]) =>
    sam.call(`POST /driver/jobs/${split.id}/collect`, { body: { parcels } })
  const wrong = await take({ reference: 'P1', quantity: 4 }, { reference: 'P9', quantity: 1 })
  assert.deepEqual(
    wrong.json.errors.map(({ field }: { field: string }) => field),
    ['parcels[0].quantity', 'parcels[1].reference'],
  )
  assert.equal((await take({ reference: 'P1', quantity: 2 })).json.data.status, 'collected')
  const { text } = await api.call(`GET /demo/deliveries/${split.id}/events`)
  assert.match(text, /Left behind at pickup: P1 \(1 of 3\)\./)

  // Driver, store and customer see the collected quantity.
  const job = (await sam.call(`GET /driver/jobs/${split.id}`)).json.data
  assert.deepEqual(
    job.parcels.map(({ quantity }: { quantity: number }) => quantity),
    [2],
  )
  const now = (await api.call(`GET /demo/deliveries/${split.id}`)).json.data
  assert.deepEqual(now.left_behind, [{ reference: 'P1', quantity: 1 }])
  assert.equal(now.parcels[0].quantity, 3)
  const page = await api.call(`GET ${new URL(now.tracking_url).pathname}`, { token: null })
  assert.deepEqual([page.json.data.parcels, page.json.data.parcels_later], [2, 1])
})

test('a proof must match its declared type and meet the goods’ requirements', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const { id } = await ownDelivery(api, SAM, { product_types: { alcohol: true } })
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const deliver = (proof: object) =>
    sam.call(`POST /driver/jobs/${id}/deliver`, { body: { proof: { id: 'proof-000x', ...proof } } })
  const strokes = [
    [10, 10, 500, 200],
    [20, 30],
  ]
  const cases: [name: string, proof: object, fields: string[]][] = [
    ['no image', { kind: 'photo', id_checked: true, id_kind: 'passport' }, ['proof.image', 'proof.kind']],
    [
      'a text',
      { kind: 'signature', image: 'aGVsbG8=', id_checked: true, id_kind: 'passport' },
      ['proof.image'],
    ],
    ['no ID', { kind: 'signature', strokes }, ['proof.id_kind', 'proof.id_checked']],
    ['only a photo', { kind: 'photo', image: JPEG, id_checked: true, id_kind: 'passport' }, ['proof.kind']],
    [
      'a short id',
      { kind: 'signature', strokes, id: 'x', id_checked: true, id_kind: 'passport' },
      ['proof.id'],
    ],
  ]
  for (const [name, proof, fields] of cases) {
    const { status, json } = await deliver(proof)
    assert.equal(status, 422, name)
    assert.deepEqual(
      json.errors.map(({ field }: { field: string }) => field),
      fields,
      name,
    )
  }
  const huge = Buffer.alloc(5 * 1024 * 1024 + 3, 1)
  // A complete photo, followed by the data that a phone appends.
  huge.set(Buffer.from(JPEG, 'base64'))
  const tooLarge = await deliver({
    kind: 'photo',
    image: huge.toString('base64'),
    id_checked: true,
    id_kind: 'passport',
  })
  assert.equal(tooLarge.status, 413)
  const large = huge.subarray(0, 5 * 1024 * 1024).toString('base64')
  const { status, text } = await deliver({
    kind: 'signature',
    image: large,
    strokes,
    id_checked: true,
    id_kind: 'passport',
  })
  assert.equal(status, 200, text)
})

test('accepting and cancelling at the same moment: exactly one succeeds', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  for (let round = 0; round < 10; round++) {
    const { id } = await ownDelivery(api)
    const [accepted, cancelled] = await Promise.all([
      sam.call(`POST /driver/jobs/${id}/accept`),
      api.call(`PATCH /demo/deliveries/${id}/request-cancel`),
    ])
    assert.equal(cancelled.status, 200, 'a job that is not collected can be cancelled before and after')
    assert.equal(await statusOf(api, id), 'cancelled')
    assert.ok([200, 404, 409].includes(accepted.status), accepted.text)
    assert.equal((await sam.call(`POST /driver/jobs/${id}/collect`)).status, 404)
  }
})

test('accepting and amending at the same moment: the driver never accepts terms they have not read', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const amendment = { ready_for_pickup_at: '2026-11-24T15:30:00+11:00' }
  for (let round = 0; round < 10; round++) {
    const { id } = await ownDelivery(api)
    const { version } = (await sam.call(`GET /driver/jobs/${id}`)).json.data
    const [accepted, amended] = await Promise.all([
      sam.call(`POST /driver/jobs/${id}/accept`, { body: { version } }),
      api.call(`PATCH /demo/deliveries/${id}/amend`, { body: amendment }),
    ])
    assert.deepEqual([accepted.status, amended.status].sort(), [200, 409], `${accepted.text} ${amended.text}`)
  }
})

test('a proof sent twice at the same moment is stored once', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const { id } = await ownDelivery(api)
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      sam.call(`POST /driver/jobs/${id}/deliver`, { body: photo('proof-same') }),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1, answers[0]?.text)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const { rows } = await api.fixture.deps.db.query('select count(*) as n from delivery_proofs')
  assert.equal(rows[0].n, 1)
  const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
  assert.equal(json.data.filter(({ to }: { to?: string }) => to === 'delivered').length, 1)
})

test('an amended job is offered again with its full time to answer', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const { id } = await ownDelivery(api)
  const nowMs = api.fixture.demo().nowMs()
  await api.fixture.setClock(nowMs + 10 * 60_000)
  const body = { ready_for_pickup_at: '2026-11-24T15:30:00+11:00', special_instructions: 'Green door.' }
  assert.equal((await api.call(`PATCH /demo/deliveries/${id}/amend`, { body })).status, 200)
  await api.fixture.setClock(nowMs + 20 * 60_000)
  const job = (await sam.call(`GET /driver/jobs/${id}`)).json.data
  assert.ok(Date.parse(job.offer_expires_at) > nowMs + 24 * 60_000)
  const links = (await sentMessages(api, id)).map(({ text }) => text.split('/').at(-1))
  assert.equal(new Set(links).size, 2)
  const newest = await sam.call(`GET /driver/jobs/${links[0]}`)
  assert.equal(newest.json.data?.id, id, newest.text)
  assert.equal((await sam.call(`GET /driver/jobs/${links[1]}`)).status, 404, 'the link to the old version')
  const acceptedJob = await sam.call(`POST /driver/jobs/${id}/accept`, { body: { version: job.version } })
  assert.equal(acceptedJob.json.data.special_instructions, 'Green door.')
})

test('an amend to a courier who left the list is rejected with their name and a remedy', async (t) => {
  const api = await testApi(t)
  const { id } = await ownDelivery(api)
  const amend = () =>
    api.call(`PATCH /demo/deliveries/${id}/amend`, {
      body: { ready_for_pickup_at: '2026-11-24T15:30:00+11:00', special_instructions: 'Green door.' },
    })
  const couriers = async () => (await api.call('GET /demo/staff-couriers')).json.data
  const sam = (await couriers()).find(({ phone }: { phone: string }) => phone === SAM)
  const off = await api.call(`PATCH /demo/staff-couriers/${sam.id}`, { body: { active: false } })
  assert.equal(off.status, 200)
  const refused = async () => {
    const { status, json } = await amend()
    assert.deepEqual([status, json.errors[0].field], [422, 'staff_courier'], JSON.stringify(json))
    assert.match(json.errors[0].message, /Assign it to another courier first/)
  }
  await refused()
  assert.equal((await api.call(`DELETE /demo/staff-couriers/${sam.id}`)).status, 204)
  await refused()
  assert.deepEqual(
    (await couriers()).filter(({ phone }: { phone: string }) => phone === SAM),
    [],
  )
  const body = { staff_courier: { phone: MIA, driver_name: 'Mia Tran' } }
  assert.equal((await api.call(`PATCH /demo/deliveries/${id}/assign`, { body })).status, 200)
  assert.equal((await amend()).status, 200)
})

test('a driver of two merchants has the jobs of both, and each merchant sees its own', async (t) => {
  const api = await testApi(t)
  const byoc = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const stores = (await api.call('GET /acme-byoc/stores', { token: byoc })).json.data
  const body = deliveryBody({
    store_reference: stores[0].reference,
    use_staff_couriers: true,
    staff_courier: { phone: SAM, driver_name: 'Sam O.' },
  })
  const otherMerchants = await api.call('POST /acme-byoc/deliveries', { body, token: byoc })
  assert.equal(otherMerchants.status, 201, otherMerchants.text)
  const ours = await ownDelivery(api)
  const sam = await driverApi(api, SAM, { accountId: 'acme-byoc', call: { token: byoc } })
  const code = await codeFor(api, SAM)
  const both = await sam.call('POST /driver/verify', { body: { phone: SAM, code } })
  const { token } = both.json.data
  const jobs = (await api.call('GET /driver/jobs', { token })).json.data
  const ids = [ours.id, otherMerchants.json.data.id].sort()
  assert.deepEqual(jobs.map(({ id }: { id: string }) => id).sort(), ids)
  for (const id of ids) {
    assert.equal((await api.call(`POST /driver/jobs/${id}/accept`, { token })).status, 200)
  }
  assert.equal((await api.call(`GET /demo/deliveries/${otherMerchants.json.data.id}`)).status, 404)
})

test('a delivery that waits for a carrier, or that no carrier accepted, may be assigned to a staff courier', async (t) => {
  const api = await testApi(t, { work: false })
  const created = (
    await api.call('POST /demo/deliveries', { body: deliveryBody({ store_reference: 'fitzroy' }) })
  ).json
  assert.ok(created.data.carrier_provider)
  const assign = { body: { staff_courier: { phone: SAM, driver_name: 'Sam Okafor' } } }
  const own = await api.call(`PATCH /demo/deliveries/${created.data.id}/assign`, assign)
  assert.equal(own.status, 200, own.text)
  assert.equal(own.json.data.use_staff_couriers, true)
  assert.equal(own.json.data.manifest_status, 'not_required')
  assert.equal(own.json.data.carrier_provider, undefined)
  const booked = deliveryBody({ store_reference: 'fitzroy', book_delivery_now: true })
  const otherMerchants = (await api.call('POST /demo/deliveries', { body: booked })).json.data
  assert.equal(otherMerchants.status, 'booked')
  const refused = await api.call(`PATCH /demo/deliveries/${otherMerchants.id}/assign`, assign)
  assert.equal(refused.json.code, 'not_assignable')
  const badAssignment = { body: { staff_courier: { phone: 'none', driver_name: 'X' } } }
  const mistake = await api.call(`PATCH /demo/deliveries/${created.data.id}/assign`, badAssignment)
  assert.equal(mistake.json.errors[0].field, 'staff_courier.phone')
})
