import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoteBody, testDoor } from '../../test/door.ts'

test('carriers are listed, checked, switched off and on; quotes say why one is missing', async (t) => {
  const { call, operator } = await testDoor(t, { work: false })
  const listed = await call('GET /demo/carriers')
  assert.deepEqual(
    listed.json.data.map(({ provider, on }: { provider: string; on: boolean }) => [provider, on]),
    [
      ['swiftly', true],
      ['southern_parcels', true],
      ['big_haul', true],
    ],
  )
  const good = { provider: 'swiftly', name: 'Swiftly', ok: true, said: 'It needs no sign-in.' }
  assert.deepEqual((await call('POST /demo/carriers/swiftly/check')).json.data, good)
  assert.deepEqual((await operator('POST /admin/accounts/demo/carriers/swiftly/check')).json.data, good)
  for (const none of ['POST /demo/carriers/parrot/check', 'GET /demo/carriers/parrot']) {
    const answer = await call(none)
    assert.equal(answer.status, 404, none)
    assert.match(answer.json.detail, /has no carrier parrot/)
  }

  const off = await call('PUT /demo/carriers/swiftly/switch', { body: { on: false, reason: 'no couriers' } })
  assert.deepEqual([off.status, off.json.data.on, off.json.data.asked_back], [200, false, 0])
  assert.deepEqual(off.json.data.uncollected, [])
  const { json } = await call('POST /demo/deliveries/quote-next-available?explain=true', { body: quoteBody })
  const swiftly = json.explanation.services.filter(
    ({ provider }: { provider: string }) => provider === 'swiftly',
  )
  assert.ok(swiftly.length > 0)
  for (const { rule, detail } of swiftly) {
    assert.deepEqual([rule, detail], ['carrier_off', 'Swiftly is switched off: no couriers.'])
  }
  const on = await call('PUT /demo/carriers/swiftly/switch', { body: { on: true } })
  assert.equal(on.json.data.on, true)
  const again = await call('POST /demo/deliveries/quote-next-available', { body: quoteBody })
  assert.ok(again.json.data.fast)
})
