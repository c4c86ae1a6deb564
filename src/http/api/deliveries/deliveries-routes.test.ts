import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, quoteBody, testApi } from '../../../../test/api.ts'
import { assertHarmless } from '../../../../test/assert-inert.ts'
import { signPath } from '../../../operations/secrets/sign.ts'

test('a delivery is found by id and by reference, and by store where two use the reference', async (t) => {
  const { call } = await testApi(t, { work: false })
  const body = deliveryBody()
  const first = (await call('POST /demo/deliveries', { body })).json.data
  const second = await call('POST /demo/deliveries', { body: { ...body, store_reference: 'fitzroy' } })
  assert.equal(second.status, 201, 'another store may use the reference')
  assert.equal((await call(`GET /demo/deliveries/${first.id}`)).json.data.id, first.id)
  const both = await call(`GET /demo/deliveries/${body.reference}`)
  assert.equal(both.status, 409)
  assert.equal(both.json.code, 'ambiguous_reference')
  assert.match(both.json.detail, /store_reference=/)
  const named = await call(`GET /demo/deliveries/${body.reference}?store_reference=fitzroy`)
  assert.equal(named.json.data.id, second.json.data.id)
  assert.equal((await call('GET /demo/deliveries/nobody-has-this')).status, 404)
})

test('lists are paged newest first, each delivery once', async (t) => {
  const { call } = await testApi(t, { work: false })
  const ids: string[] = []
  for (let i = 0; i < 5; i++)
    ids.push((await call('POST /demo/deliveries', { body: deliveryBody() })).json.data.id)
  const seen: string[] = []
  let after = ''
  for (;;) {
    const { json } = await call(`GET /demo/deliveries?limit=2${after}`)
    seen.push(...json.data.map((one: { id: string }) => one.id))
    assert.equal(json.pagination.has_more, json.pagination.next !== null)
    if (!json.pagination.has_more) break
    after = `&after=${json.pagination.next}`
  }
  assert.deepEqual(seen, ids.toReversed())
  const count = async (query: string) => (await call(`GET /demo/deliveries?${query}`)).json.data.length
  assert.equal(await count('status=requested'), 5)
  assert.equal(await count('status=booked'), 0)
  assert.equal(await count('store_reference=fitzroy'), 0)
  assert.equal(await count('created_from=2026-11-24T00:00'), 5)
  assert.equal(await count('created_to=2026-11-24T00:00'), 0)
  assert.equal(await count('q=nguyen'), 5)
})

test('labels open with a bearer token or a signed URL, one or many at a time', async (t) => {
  const { call, operator, fixture } = await testApi(t)
  const book = async () =>
    (await call('POST /demo/deliveries', { body: deliveryBody({ book_delivery_now: true }) })).json.data
  const [one, two] = [await book(), await book()]
  assert.equal(one.status, 'booked')
  const signed = one.label_url.replace('http://drover.test', '')
  const firstLabel = async () => (await operator('GET /admin/accounts/demo/first-label')).json.data.fetched_at
  assert.equal(await firstLabel(), undefined)
  const opened = await call(`GET ${signed}`, { token: null })
  assert.equal(opened.status, 200)
  const fetchedAt = await firstLabel()
  assert.match(fetchedAt, /^20\d\d-/)
  assert.equal(opened.bytes.subarray(0, 5).toString(), '%PDF-')
  assert.equal((await call(`HEAD ${signed}`, { token: null })).status, 200)
  assertHarmless(opened, 'inline; filename="label.pdf"')
  const zpl = await call(`GET ${signed}&format=zpl`, { token: null })
  assert.match(zpl.text, /^\^XA/)
  assertHarmless(zpl, 'attachment; filename="label.zpl"')
  assert.equal((await call(`GET /demo/deliveries/${one.reference}/label`)).status, 200)

  const other = signed.replace(one.id, two.id)
  for (const bent of [
    other,
    `${signed}x`,
    signed.replace(/exp=\d+/, 'exp=9999999999'),
    signed.replace('/demo/', '/acme-byoc/'),
  ]) {
    assert.equal((await call(`GET ${bent}`, { token: null })).status, 403, bent)
  }
  assert.equal((await call(`GET ${signed.replace('/label', '/events')}`, { token: null })).status, 401)
  const path = signed.split('?', 1)[0] as string
  const past = `${path}?${signPath(fixture.deps.secretKey, path, Date.now() - 1_000)}`
  const expired = await call(`GET ${past}`, { token: null })
  assert.deepEqual([expired.status, expired.json.code], [410, 'link_expired'])
  assert.equal((await call(`GET ${past}x`, { token: null })).json.code, 'invalid_signature')
  assert.equal((await call(`GET ${path}`)).status, 200, 'the remedy that the answer names')

  const many = await call('POST /demo/deliveries/labels', {
    body: { delivery_ids: [one.id], delivery_references: [two.reference] },
  })
  assert.equal(many.status, 200)
  assert.equal(await firstLabel(), fetchedAt)
  assert.ok(many.bytes.length > opened.bytes.length)
  const requested = (await call('POST /demo/deliveries', { body: deliveryBody() })).json.data
  assert.equal((await call(`GET /demo/deliveries/${requested.id}/label`)).json.code, 'label_not_available')
  for (const body of [{}, { delivery_ids: [] }, { delivery_ids: [one.id], format: 'png' }]) {
    assert.equal((await call('POST /demo/deliveries/labels', { body })).status, 422)
  }
  const reread = (await call(`GET /demo/deliveries/${one.id}`)).json.data.label_url
  assert.match(reread, /exp=\d+&sig=/)
})

test('quote and availability have exactly the interface’s fields unless an explanation is requested', async (t) => {
  const { call, tokenOf } = await testApi(t, { work: false })
  const quote = await call('POST /demo/deliveries/quote-next-available', { body: quoteBody })
  assert.deepEqual(Object.keys(quote.json), ['data'])
  assert.deepEqual(Object.keys(quote.json.data).toSorted(), ['express', 'fast', 'flexible', 'standard'])
  assert.deepEqual(Object.keys(quote.json.data.fast), [
    'price_cents',
    'currency',
    'from_datetime',
    'to_datetime',
    'num_days',
  ])
  const availability = await call('POST /demo/deliveries/quote/availability', { body: quoteBody })
  assert.deepEqual(Object.keys(availability.json.fast), ['from_datetime', 'to_datetime'])
  assert.ok(!('data' in availability.json))

  const why = await call('POST /demo/deliveries/quote-next-available?explain=true', { body: quoteBody })
  assert.equal(why.json.explanation.services.length, 5)
  for (const service of why.json.explanation.services) {
    if (!service.eligible) assert.ok(service.rule && service.detail)
    else
      assert.equal(
        service.lines.reduce((sum: number, line: { cents: number }) => sum + line.cents, 0),
        service.price_cents,
      )
  }
  const acme = await tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const body = { ...quoteBody, store_reference: 'acme-geelong' }
  const own = await call('POST /acme-byoc/deliveries/quote-next-available', { token: acme, body })
  const [option] = Object.values(own.json.data) as Record<string, unknown>[]
  assert.ok(
    option?.provider && option.service && option.carrier_code,
    'accounts with own carriers see which carrier',
  )
})

test('carriers report without a bearer token, and a wrong signature is rejected', async (t) => {
  const { call } = await testApi(t, { work: false })
  const report = (path: string) =>
    call(`POST ${path}`, {
      token: null,
      payload: '{"events":[]}',
      headers: { 'content-type': 'application/json' },
    })
  assert.equal((await report('/carriers/swiftly/demo/webhooks')).status, 401)
  assert.equal((await report('/carriers/southern_parcels/demo/webhooks')).status, 404)
  assert.equal((await report('/carriers/swiftly/nobody/webhooks')).status, 404)
  assert.equal((await report('/carriers/nobody/demo/webhooks')).status, 404)
})
