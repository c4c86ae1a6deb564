import assert from 'node:assert/strict'
import { test } from 'node:test'

import { deliveryBody, quoteBody, testApi } from '../../../../test/api.ts'
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

test('a live account is quoted only carriers that this installation can book', async (t) => {
  const { call, operator, fixture } = await testApi(t, { work: false })
  const waiting = (await call('POST /demo/deliveries', { body: deliveryBody({ delivery_type: 'standard' }) }))
    .json
  const { json: document } = await operator('GET /admin/accounts/demo')
  const [practice, southern] = document.carriers
  const [service] = southern.services
  const auspost = {
    provider: 'auspost',
    name: 'Australia Post',
    credentials: { api_key: { secret: 'auspost-key' }, password: { secret: 'auspost-password' } },
    settings: { account_number: '0000123456' },
    services: [service],
  }
  const bob = {
    provider: 'bob',
    name: 'Bob',
    adapter: 'local_courier',
    settings: { email: 'bob@example.com' },
  }
  const apply = async (mode: string) => {
    const carriers = [practice, { ...bob, services: [service] }, auspost]
    const { status, text } = await operator('PUT /admin/accounts/demo', {
      body: { ...document, mode, carriers },
    })
    assert.equal(status, 200, text)
    await fixture.deps.accounts.refresh()
  }
  const quote = async () => {
    const { json } = await call('POST /demo/deliveries/quote-next-available?explain=true', {
      body: quoteBody,
    })
    return new Map<string, { eligible: boolean; rule?: string; detail?: string }>(
      json.explanation.services.map((one: { provider: string }) => [one.provider, one]),
    )
  }
  const rules = async () => [...(await quote()).values()].map(({ rule }) => rule)
  await apply('sandbox')
  assert.ok(!(await rules()).includes('not_set_up'), 'a sandbox account is quoted all')

  await apply('live')
  const quoted = await quote()
  assert.deepEqual(
    ['swiftly', 'bob', 'auspost'].map((one) => [quoted.get(one)?.rule, quoted.get(one)?.detail]),
    [
      ['not_set_up', 'Swiftly is a practice carrier, so it books nothing for a live account.'],
      [
        'not_set_up',
        'Bob receives bookings by email, and no mail server is set: its services are not offered.',
      ],
      ['not_set_up', 'Drover cannot log in to Australia Post, because its api key is missing.'],
    ],
  )
  const refused = await call('POST /demo/deliveries', {
    body: deliveryBody({ reference: 'L-1', delivery_type: 'standard' }),
  })
  assert.deepEqual([refused.status, refused.json.code], [422, 'no_service_available'])
  assert.deepEqual(
    new Set(
      refused.json.exclusions
        .filter(({ delivery_type }: { delivery_type: string }) => delivery_type === 'standard')
        .map(({ rule }: { rule: string }) => rule),
    ),
    new Set(['not_set_up']),
  )
  const options = await call(`GET /demo/deliveries/${waiting.data.id}/options`)
  assert.ok(!/"eligible":true/.test(options.text), options.text)
  const own = await call('POST /demo/deliveries', {
    body: deliveryBody({
      reference: 'L-2',
      store_reference: 'fitzroy',
      use_staff_couriers: true,
      staff_courier: { phone: '+61491570006', driver_name: 'Sam Okafor' },
    }),
  })
  assert.deepEqual([own.status, own.json.code], [422, 'no_service_available'], own.text)
  assert.match(own.json.detail, /no SMS gateway is set/)

  for (const name of ['auspost-key', 'auspost-password']) {
    await operator(`PUT /admin/accounts/demo/secrets/${name}`, { body: { secret: 'k' } })
  }
  await fixture.deps.accounts.refresh()
  assert.equal((await quote()).get('auspost')?.eligible, true)
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
