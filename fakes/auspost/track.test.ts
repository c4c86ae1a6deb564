import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CARTON,
  type Call,
  callerOf,
  fakeAuspost,
  ITEM,
  made,
  SHIPMENT,
  STARTRACK,
} from '../../test/fake-auspost.ts'

async function ordered(call: Call, shipment: object = SHIPMENT) {
  const [{ shipment_id, items }] = await made(call, shipment)
  await call('PUT', '/orders', { shipments: [{ shipment_id }] })
  return { shipment_id, ...items[0].tracking_details } as Record<
    'shipment_id' | 'article_id' | 'consignment_id',
    string
  >
}

const result = async (call: Call, id: string) =>
  (await call('GET', `/track?tracking_ids=${id}`)).body.tracking_results[0]

test('an article moves with the clock, newest event first', async (t) => {
  const { call } = await fakeAuspost(t)
  const [{ shipment_id, items }] = await made(call, SHIPMENT)
  const { article_id } = items[0].tracking_details
  assert.equal((await result(call, article_id)).status, 'Created')
  await call('POST', '/_fake/advance', { days: 3 })
  assert.equal((await result(call, article_id)).status, 'Created', 'nothing moves before the order')

  await call('PUT', '/orders', { shipments: [{ shipment_id }] })
  const seen: string[] = []
  for (const hours of [0.5, 4, 26, 4]) {
    await call('POST', '/_fake/advance', { hours })
    seen.push((await result(call, article_id)).status)
  }
  assert.deepEqual(seen, ['Initiated', 'In transit', 'On Board for Delivery', 'Delivered'])
  const [item] = (await result(call, article_id)).trackable_items
  assert.deepEqual([item.article_id, item.product_type], [article_id, 'eParcel'])
  assert.deepEqual(item.events[0], {
    location: 'SYDNEY NSW',
    description: 'Delivered',
    date: '2026-11-28T20:00:00+11:00',
  })
  assert.equal(item.events.at(-1).location, undefined)
})

test('another journey can be selected, and custom scans are shown as written', async (t) => {
  const { call } = await fakeAuspost(t)
  const { shipment_id, article_id } = await ordered(call)
  await call('POST', `/_fake/shipments/${shipment_id}`, { journey: 'carded' })
  await call('POST', '/_fake/advance', { hours: 36 })
  assert.equal((await result(call, article_id)).status, 'Awaiting collection')
  assert.equal((await call('POST', `/_fake/shipments/${shipment_id}`, { journey: 'eaten' })).status, 400)

  const scans = `/_fake/articles/${article_id}/scans`
  await call('POST', scans, { description: null, at: '2026-11-25T22:00:00+11:00' })
  await call('POST', scans, {
    description: 'Late news',
    at: '2026-11-24T12:00:00+11:00',
    status: 'Held by courier',
  })
  const { status, trackable_items } = await result(call, article_id)
  assert.equal(status, 'Awaiting collection', 'an older event changes nothing')
  assert.equal(trackable_items[0].events[0].description, null)
  assert.ok(
    trackable_items[0].events.some(({ description }: { description: string }) => description === 'Late news'),
  )
})

test('an unknown id is an error inside a 200 response', async (t) => {
  const { call } = await fakeAuspost(t)
  const { article_id } = await ordered(call)
  const { status, body } = await call('GET', `/track?tracking_ids=7XX1000,${article_id}`)
  assert.equal(status, 200)
  assert.deepEqual(body.tracking_results[0].errors, [{ code: 'ESB-10001', name: 'Invalid tracking ID' }])
  assert.equal(body.tracking_results[1].status, 'Initiated')
})

test('a request has at most ten ids of one network, and a key has ten requests a minute', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const ids = (count: number, id = 'X') =>
    Array.from({ length: count }, (_, at) => `${id}${at + 10}`).join(',')
  const codes: string[] = []
  for (const path of ['', ids(11), ids(11, 'FKEZ123456'), 'X1,FKEZ12345678', 'FKEZ12345678']) {
    const { body } = await call('GET', `/track?tracking_ids=${path}`)
    codes.push(body.errors?.[0].code ?? 'none')
  }
  assert.deepEqual(codes, ['51100', '51101', '51102', '51103', 'none'])
  for (let asked = codes.length; asked < 10; asked += 1)
    assert.equal((await call('GET', `/track?tracking_ids=${ids(10)}`)).status, 200)

  const over = await call('GET', '/track?tracking_ids=X1')
  assert.deepEqual(
    [over.status, over.body],
    [
      429,
      { errors: [{ message: 'Too many requests', error_code: 'API_002', error_name: 'Too many requests' }] },
    ],
  )
  assert.equal(
    (await callerOf(fake.url, STARTRACK)('GET', '/track?tracking_ids=X1')).status,
    429,
    'the limit is the key’s',
  )
  await call('POST', '/_fake/advance', { minutes: 1 })
  assert.equal((await call('GET', '/track?tracking_ids=X1')).status, 200)
})

test('a consignment is delivered with all its articles, in StarTrack’s own words', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const own = await ordered(call, { ...SHIPMENT, items: [ITEM, ITEM] })
  const startrack = callerOf(fake.url, STARTRACK)
  const theirs = await ordered(startrack, { ...SHIPMENT, items: [CARTON] })
  await call('POST', '/_fake/advance', { hours: 34 })

  const held = { description: 'Held by courier', status: 'Held by courier' }
  await call('POST', `/_fake/articles/${own.article_id}/scans`, held)
  const consignment = await result(call, own.consignment_id)
  assert.deepEqual(
    [consignment.status, consignment.trackable_items[0].number_of_items],
    ['Held by courier', 2],
  )

  const tracked = await result(startrack, theirs.consignment_id)
  assert.equal(tracked.consignment.status, 'Delivered in Full')
  const message = (events: { description: string }[]) => events.map(({ description }) => description)
  assert.deepEqual(
    message(tracked.consignment.events),
    ['Delivered', 'On Board for Delivery', 'Scanned in Transit', 'Scanned in Transit', 'Ready for Pickup'],
    'events of its own',
  )
  assert.equal(message(tracked.trackable_items[0].events)[0], 'Item Delivered')
  assert.deepEqual(
    [tracked.trackable_items[0].status, tracked.trackable_items[0].product_type, tracked.status],
    ['Item Delivered', 'EXP', undefined],
  )
})
