import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, customer, deliveryBody, testApi } from '../../../../test/api.ts'
import { driverApi, JPEG, ownDelivery, SAM } from '../../../../test/driver.ts'
import { until } from '../../../../test/wait-until.ts'

const pathOf = (url: string) => new URL(url).pathname
const follow = (api: Api, url: string) => api.call(`GET ${pathOf(url)}`, { token: null })

/** Every field that a tracking page may show, whatever data the delivery has. */
const SHOWN_FIELDS = [
  'reference',
  'brand',
  'brand.name',
  'brand.header_color',
  'brand.header_text_color',
  'brand.logo',
  'help',
  'help.store',
  'help.tel',
  'help.open_until',
  'help.time_zone',
  'first_name',
  'delivery_mode',
  'status',
  'headline',
  'detail',
  'late',
  'now',
  'time_zone',
  'from_datetime',
  'to_datetime',
  'likely_at',
  'steps',
  'steps.name',
  'steps.state',
  'steps.at',
  'history',
  'history.at',
  'history.text',
  'store',
  'store.lat',
  'store.lng',
  'destination',
  'destination.lat',
  'destination.lng',
  'destination.suburb',
  'courier',
  'courier.first_name',
  'courier.position',
  'courier.position.lat',
  'courier.position.lng',
  'courier.position.at',
  'courier.distance_km',
  'carrier',
  'authority_to_leave',
  'note',
  'parcels',
  'parcels_later',
  'delivered',
  'delivered.at',
  'delivered.place',
  'delivered.photo',
]

function fieldsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, at))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = at === '' ? key : `${at}.${key}`
    return [name, ...fieldsOf(inner, name)]
  })
}

test('a customer follows their delivery to the end, and sees only their own details', async (t) => {
  const api = await testApi(t)
  const delivery = await ownDelivery(api, SAM, {
    authority_to_leave: true,
    special_instructions: 'Behind the letterbox.',
    price_cents_total_value: 123_456,
    metadata: { secret: 'canary-metadata' },
  })
  assert.match(delivery.tracking_url, /^http:\/\/drover\.test\/track\/[A-Za-z0-9_-]{48}$/)
  const read = (await api.call(`GET /demo/deliveries/${delivery.id}`)).json.data
  assert.equal(read.tracking_url, delivery.tracking_url, 'the same address for its whole life')

  const first = await follow(api, delivery.tracking_url)
  assert.equal(first.status, 200, first.text)
  assert.equal(first.headers['cache-control'], 'no-store')
  assert.equal(first.headers['x-robots-tag'], 'noindex, nofollow')
  assert.equal(first.headers['referrer-policy'], 'no-referrer')
  const { data } = first.json
  assert.equal(data.headline, 'We have your order.')
  assert.deepEqual(data.brand, { name: 'Wattle & Co', header_color: '#17513f', header_text_color: '#ffffff' })
  assert.equal(data.help.store, 'Fitzroy')
  assert.match(data.help.open_until, /^2026-11-24T\d\d:\d\d:00\+11:00$/)
  assert.equal(data.time_zone, 'Australia/Melbourne')
  assert.equal(data.authority_to_leave, true)
  assert.equal(data.note, 'Behind the letterbox.')

  const sam = await driverApi(api, SAM)
  const seen = [first]
  for (const step of ['accept', 'approach', 'collect']) {
    assert.equal((await sam.call(`POST /driver/jobs/${delivery.id}/${step}`)).status, 200, step)
    seen.push(await follow(api, delivery.tracking_url))
  }
  assert.deepEqual(
    seen.map(({ json }) => json.data.headline),
    ['We have your order.', 'Sam will bring it.', 'Sam is at the store.', 'It is on its way.'],
  )
  assert.equal(seen.at(-1)?.json.data.courier.position, undefined, 'no position is known yet')
  const { lat, lng } = data.destination
  assert.equal((await sam.call('POST /driver/location', { body: { lat: lat + 0.02, lng } })).status, 204)
  const near = await follow(api, delivery.tracking_url)
  assert.equal(near.json.data.courier.distance_km, 2.2)
  assert.match(near.json.data.likely_at, /^2026-11-24T10:/)

  const proof = { id: 'proof-0001', kind: 'photo', image: JPEG, place: 'at_door' }
  await sam.call(`POST /driver/jobs/${delivery.id}/deliver`, { body: { proof } })
  const done = await follow(api, delivery.tracking_url)
  assert.equal(done.json.data.headline, 'It is delivered.')
  assert.equal(done.json.data.courier, undefined, 'the courier is not shown after the delivery')
  assert.deepEqual(done.json.data.delivered, { ...done.json.data.delivered, place: 'at_door', photo: true })
  const photo = await api.call(`GET ${pathOf(delivery.tracking_url)}/photo`, { token: null })
  assert.equal(photo.status, 200)
  assert.deepEqual(photo.bytes, Buffer.from(JPEG, 'base64'))
  assert.equal(photo.headers['cache-control'], 'no-store')

  for (const { json, text } of [...seen, near, done]) {
    assert.deepEqual(
      fieldsOf(json.data).filter((field) => !SHOWN_FIELDS.includes(field)),
      [],
    )
    for (const secret of [
      customer.last_name,
      customer.email,
      '491570156',
      address.address,
      'Okafor',
      '123456',
      'canary',
      'price',
      'dlv_',
    ]) {
      assert.ok(!text.includes(secret), secret)
    }
  }
})

test('of two customers with the same window, only the one who is next sees where the courier is', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const deliveries = [await ownDelivery(api, SAM), await ownDelivery(api, SAM)]
  assert.deepEqual(deliveries[0].timeslot, deliveries[1].timeslot)
  for (const { id } of deliveries)
    for (const step of ['accept', 'approach', 'collect'])
      assert.equal((await sam.call(`POST /driver/jobs/${id}/${step}`)).status, 200, step)
  const { lat, lng } = (await follow(api, deliveries[0].tracking_url)).json.data.destination
  await sam.call('POST /driver/location', { body: { lat: lat + 0.02, lng } })
  const { json } = await sam.call('GET /driver/jobs')
  const inOrder = json.data.map(({ id }: { id: string }) => deliveries.find((one) => one.id === id))
  assert.equal(inOrder.length, 2)
  const positions = async () => {
    const pages = await Promise.all(
      inOrder.map((one: { tracking_url: string }) => follow(api, one.tracking_url)),
    )
    return pages.map((page) => page.json.data.courier?.position !== undefined)
  }
  assert.deepEqual(await positions(), [true, false])

  const proof = { id: 'proof-0001', kind: 'photo', image: JPEG, place: 'at_door' }
  await sam.call(`POST /driver/jobs/${inOrder[0].id}/deliver`, { body: { proof } })
  assert.deepEqual(await positions(), [false, true])
})

test('a photo that may show a person is shown to nobody', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  for (const place of ['with_person', undefined]) {
    const delivery = await ownDelivery(api)
    const photo = () => api.call(`GET ${pathOf(delivery.tracking_url)}/photo`, { token: null })
    assert.equal((await photo()).status, 404, 'before it is delivered')
    await sam.call(`POST /driver/jobs/${delivery.id}/accept`)
    const proof = { id: 'proof-0001', kind: 'photo', image: JPEG, ...(place && { place }) }
    const delivered = await sam.call(`POST /driver/jobs/${delivery.id}/deliver`, { body: { proof } })
    assert.equal(delivered.status, 200, delivered.text)
    assert.equal((await follow(api, delivery.tracking_url)).json.data.delivered.photo, false)
    assert.equal((await photo()).status, 404)
  }
})

test('a carrier’s delivery is tracked in its customer’s local time, also for customer pickup', async (t) => {
  const api = await testApi(t, { work: false })
  const perth = { ...address, city: 'Perth', state: 'WA', post_code: '6000' }
  const body = deliveryBody({ address: perth, delivery_type: 'standard' })
  const { json } = await api.call('POST /demo/deliveries', { body })
  const far = (await follow(api, json.data.tracking_url)).json.data
  assert.equal(far.time_zone, 'Australia/Perth')
  assert.match(far.now, /^2026-11-24T07:00:\d\d\+08:00$/)
  assert.match(far.from_datetime, /\+08:00$/)
  assert.match(far.help.open_until, /\+11:00$/, 'the store’s hours are the store’s')
  const pickup = await api.call('POST /demo/deliveries', {
    body: deliveryBody({ delivery_mode: 'customer_pickup' }),
  })
  const turned = (await follow(api, pickup.json.data.tracking_url)).json.data
  assert.equal(turned.delivery_mode, 'customer_pickup')
  assert.equal(turned.headline, 'We know what to collect.')
})

test('a tracking URL ends thirty days after the delivery, and then looks like an unknown one', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call('POST /demo/deliveries', { body: deliveryBody() })
  const url = json.data.tracking_url
  await api.call(`PATCH /demo/deliveries/${json.data.id}/request-cancel`)
  assert.equal((await follow(api, url)).json.data.headline, 'This delivery was cancelled.')
  await api.fixture.setClock(api.fixture.demo().nowMs() + 29 * 86_400_000)
  assert.equal((await follow(api, url)).status, 200)
  await api.fixture.setClock(api.fixture.demo().nowMs() + 2 * 86_400_000)
  const over = await follow(api, url)
  const never = await follow(api, `http://drover.test/track/${'A'.repeat(48)}`)
  assert.equal(over.status, 404)
  const { request_id: _, ...message } = over.json
  const { request_id: __, ...other } = never.json
  assert.deepEqual(message, other)
})

test('guessing tracking URLs is blocked, following one is not', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call('POST /demo/deliveries', { body: deliveryBody() })
  for (let tries = 0; tries < 200; tries++) {
    assert.equal((await follow(api, json.data.tracking_url)).status, 200)
  }
  let refused = 0
  for (let tries = 0; refused < 10; tries++) {
    assert.ok(tries < 2_000, `${refused} of ${tries} refused`)
    const { status } = await follow(api, `http://drover.test/track/${String(tries).padEnd(48, 'A')}`)
    if (status === 429) refused += 1
    else assert.equal(status, 404)
  }
})

test('customer notifications contain the tracking URL', async (t) => {
  const api = await testApi(t)
  const delivery = await ownDelivery(api)
  const sam = await driverApi(api, SAM)
  await sam.call(`POST /driver/jobs/${delivery.id}/accept`)
  const texts = async () =>
    (await api.call(`GET /demo/messages?delivery_id=${delivery.id}`)).json.data.filter(
      ({ template, text }: { template: string; text?: string }) => template === 'booked' && text,
    )
  await until(async () => (await texts()).length === 2, 'both messages are formatted')
  for (const { text } of await texts()) assert.ok(text.includes(`Track it: ${delivery.tracking_url}`), text)
  const { rows } = await api.fixture.deps.db.query<{ body: string }>(
    'select body from messages where body is not null',
  )
  const token = pathOf(delivery.tracking_url).split('/').at(-1) as string
  for (const { body } of rows) assert.ok(!body.includes(token), 'no address is stored')
})
