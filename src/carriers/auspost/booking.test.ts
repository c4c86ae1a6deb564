import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveConsignment as consignment, liveCarrier } from '../../../test/live-carriers.ts'
import type { Outcome } from '../carrier.ts'

test('a suburb that is not its postcode’s is named with those that are', async (t) => {
  const carrier = (await liveCarrier(t, 'auspost')).carrier()
  const to = { ...consignment.to, city: 'Fitzroy Nort' }
  const outcome = await carrier.book({ ...consignment, to })
  assert.equal(outcome.kind === 'no' && outcome.cure, 'nobody')
  assert.match(outcome.kind === 'no' ? outcome.said : '', /3065 VIC has Fitzroy/)
})

test('what is too large for it, another may carry', async (t) => {
  const live = await liveCarrier(t, 'auspost')
  const [parcel] = consignment.parcels
  const cases = [
    { ...parcel!, lengthCm: 106 },
    { ...parcel!, weightKg: 22.5 },
    { ...parcel!, quantity: 201 },
  ]
  for (const one of cases) {
    const outcome = await live.carrier().book({ ...consignment, parcels: [one] })
    assert.equal(outcome.kind === 'no' && outcome.cure, 'another_carrier', JSON.stringify(outcome))
  }
  assert.equal(live.bookings(), 0)
})

test('of what was booked twice one is taken up, and an order of somebody else’s stays a no', async (t) => {
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
  assert.match(other.kind === 'no' ? other.said : '', /^44016/)
  assert.equal(yes(await carrier.manifest!.find!('man_02', { ...order, key: 'man_02' })), null)
})

function yes<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value
}
