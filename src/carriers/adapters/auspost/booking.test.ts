import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUSPOST, callerOf, STARTRACK } from '../../../../test/fake-auspost.ts'
import { liveConsignment as consignment, control, liveCarrier } from '../../../../test/live-carriers.ts'
import { shipmentIdsOf } from '../../kit/split-shipment-refs.ts'
import type { Outcome } from '../../port/carrier.ts'

test('an error for a suburb outside its postcode names the valid suburbs', async (t) => {
  const carrier = (await liveCarrier(t, 'auspost')).carrier()
  const to = { ...consignment.to, city: 'Fitzroy Nort' }
  const outcome = await carrier.book({ ...consignment, to })
  assert.equal(outcome.kind === 'no' && outcome.retry, 'nobody')
  assert.match(outcome.kind === 'no' ? outcome.message : '', /3065 VIC has Fitzroy/)
})

test('an oversized parcel allows another carrier', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const [parcel] = consignment.parcels
  const cases = [
    { ...parcel!, lengthCm: 106 },
    { ...parcel!, weightKg: 22.5 },
    { ...parcel!, quantity: 201 },
  ]
  for (const one of cases) {
    const outcome = await live.carrier().book({ ...consignment, parcels: [one] })
    assert.equal(outcome.kind === 'no' && outcome.retry, 'another_carrier', JSON.stringify(outcome))
  }
  assert.equal(live.bookings(), 0)
})

test('a job of more shipments than it can track has no price, as it cannot be booked', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const [parcel] = consignment.parcels
  const priced = (quantity: number) =>
    live.carrier().rates!({
      ...consignment,
      from: { ...consignment.from, business: true },
      to: { ...consignment.to, business: false },
      carrierCodes: ['T28'],
      parcels: [{ ...parcel!, quantity }],
    })
  assert.equal(yes(await priced(200)).length, 1)
  assert.deepEqual(yes(await priced(201)), [])
})

test('a number from a label is refused where the API takes only its own shipment id', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const carrier = live.carrier()
  const { carrierRef = '' } = yes(await carrier.book(consignment))
  assert.deepEqual([carrierRef, '33AAA0000001'].map(carrier.manifest!.acceptsRef!), [true, false])
  assert.equal((await carrier.label!.fetch('33AAA0000001', 'pdf')).kind, 'no')
})

test('a street too long for the labels allows another carrier', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const to = { ...consignment.to, address: 'x'.repeat(41) }
  const outcome = await live.carrier().book({ ...consignment, to })
  assert.equal(outcome.kind === 'no' && outcome.retry, 'another_carrier')
  assert.equal(live.bookings(), 0)
})

test('a booking of several shipments is found completely or stays unknown', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const carrier = live.carrier()
  const many = { ...consignment, parcels: [{ ...consignment.parcels[0]!, quantity: 41 }] }
  const { carrierRef = '' } = yes(await carrier.book(many))
  const find = () => carrier.find!(many.key, many, many.askedAtMs)
  assert.equal(yes(await find())?.carrierRef, carrierRef)
  const ids = shipmentIdsOf(carrierRef)
  await callerOf(live.fake.url, AUSPOST)('DELETE', `/shipments/${ids[1]}`)
  assert.equal((await find()).kind, 'unknown')
})

test('a StarTrack consignment is collected and delivered with its articles', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const carrier = live.carrier({}, { account_number: STARTRACK })
  const { carrierRef = '' } = yes(await carrier.book({ ...consignment, carrierCode: 'EXP' }))
  const statuses = async () => yes(await carrier.track!.poll([carrierRef])).events.map(({ status }) => status)
  yes(
    await carrier.manifest!.submit({ key: 'man_01', group: 'G', dangerousGoods: false, refs: [carrierRef] }),
  )
  await live.advance(60)
  const before = await statuses()
  assert.ok(before.length > 0 && before.every((status) => status === null), JSON.stringify(before))
  await live.advance(34 * 60)
  assert.ok((await statuses()).includes('delivered'))
})

test('a failed pickup is reported and does not count as collected', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const carrier = live.carrier()
  const { carrierRef = '' } = yes(await carrier.book(consignment))
  yes(
    await carrier.manifest!.submit({ key: 'man_01', group: 'G', dangerousGoods: false, refs: [carrierRef] }),
  )
  await control(live.fake, `/_fake/shipments/${shipmentIdsOf(carrierRef)[0]}`, { journey: 'not_picked_up' })
  await live.advance(3 * 60)
  const { events } = yes(await carrier.track!.poll([carrierRef]))
  assert.ok(events.every(({ status }) => status === null))
  assert.ok(events.some(({ subStatus }) => subStatus === 'delayed'))
})

test('the first of two duplicate bookings is used, and a second order of the same shipment is refused', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const carrier = live.carrier()
  const first = yes(await carrier.book(consignment))
  yes(await carrier.book(consignment))
  const found = yes(await carrier.find!(consignment.key, consignment, consignment.askedAtMs))
  assert.equal(found?.carrierRef, first.carrierRef)

  const order = { key: 'man_01', group: 'G', dangerousGoods: false, refs: [first.carrierRef!] }
  assert.equal(yes(await carrier.manifest!.find!('man_01', order)), null)
  const lodged = yes(await carrier.manifest!.submit(order))
  assert.deepEqual(yes(await carrier.manifest!.submit(order)), lodged, 'the same order again')
  const other = await carrier.manifest!.submit({ ...order, key: 'man_02' })
  assert.match(other.kind === 'no' ? other.message : '', /^44016/)
  assert.equal(yes(await carrier.manifest!.find!('man_02', { ...order, key: 'man_02' })), null)
})

function yes<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value
}
