import assert from 'node:assert/strict'
import { test } from 'node:test'

import { quoteBody, testApi } from '../../../../test/api.ts'
import { until } from '../../../../test/wait-until.ts'
import { sampled } from '../../examples/variables.ts'
import { DELIVERY_EXAMPLE } from '../fields/examples.ts'

test('carriers are listed, checked, disabled and enabled; quotes say why one is missing', async (t) => {
  const { call, operator } = await testApi(t, { work: false })
  const listed = await call('GET /demo/carriers')
  assert.deepEqual(
    listed.json.data.map(({ provider, on }: { provider: string; on: boolean }) => [provider, on]),
    [
      ['swiftly', true],
      ['southern_parcels', true],
      ['big_haul', true],
    ],
  )
  assert.deepEqual(listed.json.pagination, { next: null, has_more: false })
  const good = {
    provider: 'swiftly',
    name: 'Swiftly',
    ok: true,
    message: 'Logged in to Swiftly (sandbox): the key is valid.',
  }
  assert.deepEqual((await call('POST /demo/carriers/swiftly/check')).json.data, good)
  assert.deepEqual((await operator('POST /admin/accounts/demo/carriers/swiftly/check')).json.data, good)
  for (const none of ['POST /demo/carriers/parrot/check', 'GET /demo/carriers/parrot']) {
    const answer = await call(none)
    assert.equal(answer.status, 404, none)
    assert.match(answer.json.detail, /has no carrier parrot/)
  }

  const counts = listed.json.data.map(({ uncollected_count: count }: { uncollected_count: number }) => count)
  assert.deepEqual(counts, [0, 0, 0])

  const off = await call('PUT /demo/carriers/swiftly/switch', { body: { on: false, reason: 'no couriers' } })
  assert.deepEqual([off.status, off.json.data.on, off.json.data.recalled_count], [200, false, 0])
  assert.deepEqual(off.json.data.uncollected, [])
  const { json } = await call('POST /demo/deliveries/quote-next-available?explain=true', { body: quoteBody })
  const swiftly = json.explanation.services.filter(
    ({ provider }: { provider: string }) => provider === 'swiftly',
  )
  assert.ok(swiftly.length > 0)
  for (const { rule, detail } of swiftly) {
    assert.deepEqual([rule, detail], ['carrier_disabled', 'Swiftly is switched off: no couriers.'])
  }
  const on = await call('PUT /demo/carriers/swiftly/switch', { body: { on: true } })
  assert.equal(on.json.data.on, true)
  const again = await call('POST /demo/deliveries/quote-next-available', { body: quoteBody })
  assert.ok(again.json.data.fast)
})

test('a delivery is reassigned to another carrier, and a carrier that has left is named as such', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { delivery_type: _, ...anyType } = sampled(DELIVERY_EXAMPLE) as typeof DELIVERY_EXAMPLE
  const body = { ...anyType, reference: 'H-1', book_delivery_now: true }
  const { id } = (await call('POST /demo/deliveries', { body })).json.data
  // A request waits for at most 8 s; the booking continues afterwards.
  const booked = () =>
    until(async () => {
      const { data } = (await call(`GET /demo/deliveries/${id}`)).json
      return data.status === 'booked' && data
    }, 'it is booked')
  const first = await booked()
  const reassigned = await call(`PATCH /demo/deliveries/${id}/reassign`, { body: { reason: 'too slow' } })
  assert.equal(reassigned.status, 200)
  assert.notEqual((await booked()).carrier_provider, first.carrier_provider)
  const [provider] = (await call('GET /demo/carriers')).json.data.flatMap(
    ({ provider, uncollected_count }: { provider: string; uncollected_count: number }) =>
      uncollected_count > 0 ? [provider] : [],
  )
  const switchedOff = await call(`PUT /demo/carriers/${provider}/switch`, {
    body: { on: false, decommissioned: true },
  })
  assert.deepEqual([switchedOff.json.data.decommissioned, switchedOff.json.data.recalled_count], [true, 1])
  assert.deepEqual(
    switchedOff.json.data.uncollected.map((one: { replanning: boolean }) => one.replanning),
    [true],
  )
  const pending = await booked()
  assert.equal(pending.pending_cancellation.purpose, 'replan')
  await call(`PUT /demo/carriers/${provider}/switch`, { body: { on: true } })
  const restored = await booked()
  assert.equal(restored.pending_cancellation, undefined)
  assert.ok(
    Date.parse(restored.updated_at) > Date.parse(pending.updated_at),
    'its readers see that it has changed',
  )

  const unbooked = await call('POST /demo/deliveries', { body: { ...anyType, reference: 'H-2' } })
  const refused = await call(`PATCH /demo/deliveries/${unbooked.json.data.id}/reassign`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'not_reassignable'])
})
