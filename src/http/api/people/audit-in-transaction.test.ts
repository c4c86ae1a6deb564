import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, deliveryBody, lineItem, parcel, type Reply, testApi } from '../../../../test/api.ts'
import { ON_CITUS } from '../../../../test/database.ts'
import { driverApi, MIA, ownDelivery, SAM } from '../../../../test/driver.ts'
import { lostBooking } from '../../../../test/lost-booking.ts'
import { snapshots } from '../../../../test/security/snapshot.ts'

test('a change that cannot be audited is not made, and a retry makes it', {
  skip: ON_CITUS && 'Citus doesn’t support the trigger that this test uses',
}, async (t) => {
  const api = await testApi(t)
  const { call, operator, fixture } = api
  const sam = await driverApi(api, SAM)
  const createDelivery = async (over: object = {}) =>
    (await call('POST /demo/deliveries', { body: deliveryBody(over) })).json.data.id as string
  const jobs = await Promise.all([1, 2, 3].map(() => ownDelivery(api)))
  const [offered, refused, assigned] = jobs.map(({ id }) => id as string)
  const plain = await createDelivery()
  const booked = await createDelivery({ reference: 'B-1', book_delivery_now: true })
  const { id: held } = await lostBooking(api)
  await createDelivery({ reference: 'M-1', delivery_type: 'standard', book_delivery_now: true })
  const { id: courier } = (
    await call('POST /demo/staff-couriers', {
      body: { store_reference: 'fitzroy', phone: '0491 570 006', driver_name: 'Ned' },
    })
  ).json.data
  const { id: hook } = (await call('POST /demo/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/' } }))
    .json.data
  const { country: _, ...address } = deliveryBody().address as { country: string }
  const { id: link } = (
    await call('POST /demo/links', {
      body: {
        ...{ store_reference: 'melbourne-cbd', reference: 'CC-1', customer, address },
        ...{ line_items: [lineItem], parcels: [parcel] },
      },
    })
  ).json.data
  const mia = { staff_courier: { phone: MIA, driver_name: 'Mia Tran' } }
  const ned = { store_reference: 'fitzroy', phone: '0491 570 110', driver_name: 'Ann' }
  const all = { store_reference: 'melbourne-cbd', create_manifest_now: false }

  const operations: [line: string, ask: (line: string) => Promise<Reply>][] = [
    [`POST /driver/jobs/${offered}/accept`, (line) => sam.call(line)],
    [`POST /driver/jobs/${offered}/collect`, (line) => sam.call(line)],
    [`POST /driver/jobs/${refused}/refuse`, (line) => sam.call(line)],
    [`PATCH /demo/deliveries/${assigned}/assign`, (line) => call(line, { body: mia })],
    [`PATCH /demo/deliveries/${assigned}/request-cancel`, (line) => call(line)],
    [`PATCH /demo/deliveries/${plain}/request-cancel`, (line) => call(line)],
    [`PATCH /demo/deliveries/${held}/request-cancel`, (line) => call(line)],
    [`PATCH /demo/deliveries/${booked}/request-cancel`, (line) => call(line)],
    ['POST /demo/staff-couriers', (line) => call(line, { body: ned })],
    [`PATCH /demo/staff-couriers/${courier}`, (line) => call(line, { body: { active: false } })],
    [`DELETE /demo/staff-couriers/${courier}`, (line) => call(line)],
    [`PATCH /demo/webhook-endpoints/${hook}`, (line) => call(line, { body: { status: 'paused' } })],
    [
      `POST /demo/webhook-endpoints/${hook}/replay`,
      (line) => call(line, { body: { from: '2026-11-24T09:00:00Z' } }),
    ],
    [`DELETE /demo/webhook-endpoints/${hook}`, (line) => call(line)],
    [`DELETE /demo/links/${link}`, (line) => call(line)],
    ['POST /demo/store-manifests', (line) => call(line, { body: all })],
    ['PUT /demo/carriers/swiftly/switch', (line) => call(line, { body: { on: false } })],
    ['PUT /demo/carriers/swiftly/switch', (line) => call(line, { body: { on: true } })],
    [`DELETE /admin/accounts/demo/deliveries/${plain}`, (line) => operator(line)],
  ]
  // Nothing else may change the content of the tables.
  await fixture.parts.runner.stop(30_000)
  const { db } = fixture.deps
  const { take } = await snapshots(db)
  await db.query(`create function refuse_audit_row() returns trigger language plpgsql as $$
    begin raise exception 'no row today'; end $$`)
  for (const [line, ask] of operations) {
    await db.query(
      'create trigger audit_log_away before insert on audit_log for each statement execute function refuse_audit_row()',
    )
    const before = await take()
    assert.equal((await ask(line)).status, 500, line)
    assert.equal(await take(), before, `${line} has left something behind`)
    await db.query('drop trigger audit_log_away on audit_log')
    const done = await ask(line)
    // A booking that the carrier may have gets a pending cancellation, which is a change too.
    assert.ok(done.status < 300 || done.json.code === 'cancellation_pending', `${line}: ${done.text}`)
  }
})
