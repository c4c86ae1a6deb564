import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeAuspost, ITEM, made, SHIPMENT } from '../../test/fake-auspost.ts'

const GROUP = { group: 'Parcel Post', layout: 'A4-4pp', branded: true, left_offset: 0, top_offset: 0 }

function labelRequest(shipment_id: string, change: object = {}, group: object = {}, preference: object = {}) {
  return {
    wait_for_label_url: true,
    preferences: [{ type: 'PRINT', groups: [{ ...GROUP, ...group }], ...preference }],
    shipments: [{ shipment_id }],
    ...change,
  }
}

test('a synchronous label request returns a link without a key that expires', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const [shipment] = await made(call, SHIPMENT)
  const { status, body } = await call('POST', '/labels', labelRequest(shipment.shipment_id))
  assert.equal(status, 200)
  const [label] = body.labels
  assert.deepEqual([label.status, label.request_date], ['AVAILABLE', '24-11-2026 10:00:00'])
  assert.deepEqual(label.shipment_ids, [shipment.shipment_id])

  const file = await fetch(label.url)
  assert.equal(file.headers.get('content-type'), 'application/pdf')
  assert.equal(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
  assert.equal((await fetch(label.url.replace(/Expires=\d+/, 'Expires=9999999999'))).status, 403)

  await call('POST', '/_fake/advance', { hours: 1 })
  const late = await fetch(label.url)
  assert.equal(late.status, 403)
  assert.match(await late.text(), /Request has expired/)
  const polled = await call('GET', `/labels/${label.request_id}`)
  assert.notEqual(polled.body.labels[0].url, label.url)
  assert.equal((await fetch(polled.body.labels[0].url)).status, 200)
  assert.equal(fake.ledger.entries({ what: 'labels_requested' }).length, 1)
})

test('an asynchronous label request is pending first, maybe for long', async (t) => {
  const { call } = await fakeAuspost(t)
  const [shipment] = await made(call, SHIPMENT)
  const asked = await call(
    'POST',
    '/labels',
    labelRequest(shipment.shipment_id, { wait_for_label_url: false }),
  )
  const [{ status, url, request_id }] = asked.body.labels
  assert.deepEqual([status, url], ['PENDING', undefined])
  await call('POST', '/_fake/advance', { seconds: 5 })
  assert.equal((await call('GET', `/labels/${request_id}`)).body.labels[0].status, 'AVAILABLE')

  await call('POST', '/_fake/labels', { pending_seconds: 60, fail_next: 1 })
  const failed = await call('POST', '/labels', labelRequest(shipment.shipment_id))
  assert.equal(failed.body.labels[0].status, 'ERROR')
  const slow = await call('POST', '/labels', labelRequest(shipment.shipment_id))
  assert.equal(slow.body.labels[0].status, 'PENDING')
  const unknown = await call('GET', '/labels/00000000-0000-0000-0000-000000000000')
  assert.deepEqual([unknown.status, unknown.body.errors[0].code], [404, '51020'])
})

test('ZPL has one label an item, at most 50', async (t) => {
  const { call } = await fakeAuspost(t)
  const [two] = await made(call, { ...SHIPMENT, items: [ITEM, ITEM] })
  const { body } = await call(
    'POST',
    '/labels',
    labelRequest(two.shipment_id, {}, { layout: 'A6-1pp' }, { format: 'ZPL' }),
  )
  const file = await fetch(body.labels[0].url)
  assert.equal(file.headers.get('content-type'), 'text/plain')
  const zpl = await file.text()
  assert.equal(zpl.match(/\^XA/g)?.length, 2)
  assert.ok(zpl.includes('FAKE'))

  const many = await made(call, ...Array(3).fill({ ...SHIPMENT, items: Array(20).fill(ITEM) }))
  const shipments = many.map(({ shipment_id }: { shipment_id: string }) => ({ shipment_id }))
  const over = await call('POST', '/labels', labelRequest('', { shipments }, {}, { format: 'ZPL' }))
  assert.equal(over.body.errors[0].code, '51008')
  assert.equal((await call('POST', '/labels', labelRequest('', { shipments }))).status, 200)
})

test('a label request with missing fields is rejected', async (t) => {
  const { call } = await fakeAuspost(t)
  const [{ shipment_id }] = await made(call, SHIPMENT)
  const cases: readonly (readonly [string, object, string])[] = [
    ['no preferences', { ...labelRequest(shipment_id), preferences: undefined }, '40002'],
    ['another type', labelRequest(shipment_id, {}, {}, { type: 'EMAIL' }), '400'],
    ['another format', labelRequest(shipment_id, {}, {}, { format: 'PNG' }), '400'],
    ['an unknown layout', labelRequest(shipment_id, {}, { layout: 'A5-1pp' }), '400'],
    ['a layout of StarTrack', labelRequest(shipment_id, {}, { layout: 'A4-2pp' }), '400'],
    ['no left offset', labelRequest(shipment_id, {}, { left_offset: undefined }), '40002'],
    ['no top offset', labelRequest(shipment_id, {}, { top_offset: undefined }), '40002'],
    ['a group that is not in the parcels', labelRequest(shipment_id, {}, { group: 'Express Post' }), '400'],
    ['an unknown shipment', labelRequest('nothing'), '44013'],
    ['no shipments', labelRequest('', { shipments: [] }), '44033'],
    [
      'an item that is not in it',
      labelRequest('', { shipments: [{ shipment_id, items: [{ item_id: 'x' }] }] }),
      '400',
    ],
  ]
  for (const [name, body, code] of cases) {
    const answer = await call('POST', '/labels', body)
    assert.deepEqual([answer.status, answer.body.errors[0].code], [400, code], name)
  }
  const ids = { article_id: 'ABC000128B4C5', consignment_id: 'ABC000128' }
  const [own] = await made(call, { ...SHIPMENT, items: [{ ...ITEM, tracking_details: ids }] })
  assert.equal((await call('POST', '/labels', labelRequest(own.shipment_id))).body.errors[0].code, '51015')
  const thermal = await call(
    'POST',
    '/labels',
    labelRequest(shipment_id, {}, { layout: 'THERMAL-LABEL-A6-1PP' }),
  )
  assert.equal(thermal.status, 200)
  const unlabelled = await call(
    'POST',
    '/labels',
    labelRequest(shipment_id, { unlabelled_articles_only: true }),
  )
  assert.equal(unlabelled.body.errors[0].code, '44033')
})

test('on demand, an order of unlabelled shipments is rejected, as seen on the testbed', async (t) => {
  const { call } = await fakeAuspost(t)
  await call('POST', '/_fake/labels', { before_order: true })
  const [{ shipment_id }] = await made(call, SHIPMENT)
  const order = () => call('PUT', '/orders', { shipments: [{ shipment_id }] })
  assert.equal((await order()).body.errors[0].code, '44044')
  await call('POST', '/labels', labelRequest(shipment_id))
  assert.equal((await order()).status, 201)
})
