import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, customer, deliveryBody, lineItem, parcel } from '../../../../test/api.ts'
import { ADMIN, apiWithPeople, CLERK, person } from '../../../../test/people.ts'

const LINE = 'POST /admin/accounts/demo/logo'
const SVG = (inner = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">${inner}<rect width="120" height="40"/></svg>`

test('a logo is read without a change, applied like any setting, and shown on the tracking page and the booking page', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const admin = await person(api, ADMIN)
  const clerk = await person(api, CLERK)
  const read = (body: string | Buffer, by = admin) =>
    by.call(LINE, { body, headers: { 'content-type': 'image/svg+xml' } })

  const { status, json } = await read(SVG('<script>evil()</script>'))
  assert.equal(status, 200, JSON.stringify(json))
  assert.deepEqual([json.data.width, json.data.height, json.data.removed], [120, 40, ['<script>']])
  const { logo } = json.data
  const safe = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64').toString()
  assert.doesNotMatch(safe, /script|evil/)
  assert.equal((await admin.call('GET /admin/accounts/demo/versions')).json.data.length, 1)

  const made = await api.call('POST /demo/deliveries', { body: deliveryBody() })
  const { pathname } = new URL(made.json.data.tracking_url)
  const page = () => api.call(`GET ${pathname}`, { token: null })
  const image = () => api.call(`GET ${pathname}/logo`, { token: null })
  assert.equal((await page()).json.data.brand.logo, undefined)
  assert.equal((await image()).status, 404)
  const { country: _, ...of } = address
  const order = { reference: 'LOGO-1', store_reference: 'melbourne-cbd', address: of, customer }
  const link = await api.call('POST /demo/links', {
    body: { ...order, line_items: [lineItem], parcels: [parcel] },
  })
  const bookingPage = new URL(link.json.data.link).pathname
  const booking = (path = '') => api.call(`GET ${bookingPage}${path}`, { token: null })
  assert.equal((await booking()).json.data.brand.logo, undefined)
  assert.equal((await booking('/logo')).status, 404)

  const document = (await admin.call('GET /admin/accounts/demo')).json
  const put = (url: string) =>
    admin.call('PUT /admin/accounts/demo', {
      body: { ...document, brands: [{ ...document.brands[0], logo: url }] },
    })
  const applied = await put(logo)
  assert.equal(applied.status, 200, applied.text)
  assert.equal((await page()).json.data.brand.logo, true)
  const shown = await image()
  assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/svg+xml'])
  assert.equal(shown.headers['x-content-type-options'], 'nosniff')
  assert.match(String(shown.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  assert.equal(shown.bytes.toString(), safe)
  assert.equal((await booking()).json.data.brand.logo, true)
  const onBookingPage = await booking('/logo')
  assert.deepEqual(
    [onBookingPage.status, onBookingPage.headers['content-security-policy'], onBookingPage.bytes.toString()],
    [200, shown.headers['content-security-policy'], safe],
  )

  const hostile = Buffer.from(SVG('<script>evil()</script>')).toString('base64')
  const refused = await put(`data:image/svg+xml;base64,${hostile}`)
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.json.errors.map(({ field }: { field: string }) => field),
    ['brands[0].logo'],
  )
  assert.match(refused.json.errors[0].message, /<script>/)
  for (const url of [
    'https://evil.example/logo.png',
    'data:text/html;base64,PGI+',
    'data:image/png;base64,AAAA',
  ])
    assert.equal((await put(url)).status, 422, url)

  for (const [body, expected] of [
    ['', /empty/],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /not a PNG or an SVG/],
    ['<svg viewBox="0 0 1000 20"/>', /too narrow/],
  ] as const) {
    const wrong = await read(body)
    assert.equal(wrong.status, 422)
    assert.match(wrong.json.errors[0].message, expected)
  }
  assert.equal((await read(SVG(), clerk)).status, 403)
})
