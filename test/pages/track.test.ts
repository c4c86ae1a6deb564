import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { driverApi, ownDelivery, SAM } from '../driver.ts'
import { until } from '../wait-until.ts'
import { openPages, type Pages, withoutBrowser } from './browser.ts'
import { doorPhoto } from './door-photo.ts'
import { inEveryLook } from './looks.ts'

const pathOf = (url: string) => new URL(url).pathname
const quick = { from: '2026-11-24T11:32:00+11:00' }

/** Opens the tracking page at this address. */
async function seen(
  { visit }: Pages,
  path: string,
  name: string,
  ready: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await visit({ path })
  await ready(page)
  await inEveryLook(page, name)
  await page.context().close()
}

const skip = withoutBrowser()

test('a customer tracks a delivery from the order to the door', { skip }, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const { api } = pages
  const delivery = await ownDelivery(api, SAM, {
    reference: 'WC-10484',
    ready_for_pickup_at: quick.from,
    authority_to_leave: true,
    special_instructions: 'Behind the letterbox, please.',
  })
  const path = pathOf(delivery.tracking_url)
  const sam = await driverApi(api, SAM)

  const page = await pages.visit({ width: 390, height: 844, path })
  await page.getByText('Ada, we have your order.').waitFor()
  await until(async () => /^today, .* - Wattle & Co$/.test(await page.title()), 'the title names the window')
  assert.equal(await page.getByText('Order WC-10484').count(), 1)

  await sam.call(`POST /driver/jobs/${delivery.id}/accept`)
  await sam.call(`POST /driver/jobs/${delivery.id}/collect`)
  const { lat, lng } = { lat: -37.79, lng: 144.977 }
  await sam.call('POST /driver/location', { body: { lat, lng } })
  await page.reload()
  await page.getByText('Ada, it is on its way.').waitFor()
  await page.getByText('Most likely about').waitFor()
  await page
    .getByRole('img', { name: /^Sam is .* from you/ })
    .first()
    .waitFor()
  await page.getByText('“Behind the letterbox, please.”').waitFor()
  await page.getByText('Left at your door if you are out').waitFor()
  assert.match(
    (await page.getByRole('link', { name: 'Call Fitzroy' }).getAttribute('href')) ?? '',
    /^tel:\+61/,
  )
  const text = await page.locator('body').innerText()
  for (const hidden of ['Nguyen', '0491', '+61491', 'Okafor', '$']) assert.ok(!text.includes(hidden), hidden)
  await seen(pages, path, 'track-on-the-road', (one) => one.getByText('Ada, it is on its way.').waitFor())

  const proof = { id: 'proof-0001', kind: 'photo', image: doorPhoto().toString('base64'), place: 'at_door' }
  await sam.call(`POST /driver/jobs/${delivery.id}/deliver`, { body: { proof } })
  await seen(pages, path, 'track-delivered', async (one) => {
    await one.getByText('It was left at your door.').waitFor()
    await one.getByRole('img', { name: 'Your delivery where it was left' }).waitFor()
  })
})

test('offline, the page shows its age and stops the countdown', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const { api } = pages
  const delivery = await ownDelivery(api, SAM, { reference: 'WC-1', ready_for_pickup_at: quick.from })
  const sam = await driverApi(api, SAM)
  for (const step of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${delivery.id}/${step}`)
  await sam.call('POST /driver/location', { body: { lat: -37.79, lng: 144.977 } })
  const page = await pages.visit({ width: 390, height: 844, path: pathOf(delivery.tracking_url) })
  const counted = page.getByText(/Most likely about .*, in /)
  await counted.waitFor()
  const lost = page.getByText(/^No connection since 10(:\d\d)? am\.$/)
  assert.equal(await lost.count(), 0)

  await page.context().setOffline(true)
  await lost.waitFor()
  await counted.waitFor({ state: 'hidden' })
  await page.getByText('Most likely about').waitFor()
  await inEveryLook(page, 'track-lost')
  await page.context().setOffline(false)
  await lost.waitFor({ state: 'hidden' })
  await counted.waitFor()

  // One bar of signal: the phone believes that it is connected, and no response comes.
  await page.clock.install()
  await page.reload()
  await counted.waitFor()
  await page.route('**/track/*', () => {})
  await page.clock.fastForward(60_000)
  await lost.waitFor()
})

test('an open page says that the server refused a poll, and that its address has ended', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const delivery = await ownDelivery(pages.api, SAM, { reference: 'WC-1', ready_for_pickup_at: quick.from })
  const page = await pages.visit({ width: 390, height: 844, path: pathOf(delivery.tracking_url) })
  await page.clock.install()
  await page.reload()
  await page.getByText('Ada, we have your order.').waitFor()
  const answer = async (status: number) => {
    await page.unrouteAll()
    const headers = status === 429 ? { 'retry-after': '3600' } : {}
    await page.route('**/track/*', (route) => route.fulfill({ status, headers, json: {} }))
    await page.clock.fastForward(20_000)
  }
  await answer(429)
  await page.getByText(/^No update since 10(:\d\d)? am\.$/).waitFor()
  await answer(404)
  await page.getByText('There is nothing to track here.').waitFor()
  assert.equal(await page.getByText('Order WC-1').count(), 0)
  assert.equal(await page.title(), 'Your delivery')
})

test('before a customer pickup the courier is on the way to the customer, by the store’s clock', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const delivery = await ownDelivery(pages.api, SAM, { reference: 'WC-1', ready_for_pickup_at: quick.from })
  const path = pathOf(delivery.tracking_url)
  const page = await pages.visit({ width: 390, height: 844, path })
  await page.route(`**${path}`, async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    const response = await route.fetch()
    const { data } = await response.json()
    const position = { lat: data.destination.lat + 0.003, lng: data.destination.lng, at: data.now }
    const courier = { first_name: 'Sam', position, distance_km: 0.3 }
    const help = { ...data.help, time_zone: 'Australia/Perth' }
    const pickup = { delivery_mode: 'customer_pickup', status: 'approaching', help, courier }
    await route.fulfill({ response, json: { data: { ...data, ...pickup } } })
  })
  await page.reload()
  await page.getByRole('img', { name: /^Sam is .* from you, on the way to Carlton\.$/ }).waitFor()
  await page.getByRole('img', { name: /^Now 7(:\d\d)? am\. The window is 9:17 am to 12:17 pm\.$/ }).waitFor()
})

test('the page works without its map, which loads once the connection is back', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const delivery = await ownDelivery(pages.api, SAM, { reference: 'WC-1' })
  const page = await pages.visit({ width: 390, height: 844, path: pathOf(delivery.tracking_url) })
  const map = page.locator('.map svg').first()
  await map.waitFor()
  const drawing = '**/local-drawing*.js*'
  let refused = 0
  await page.route(drawing, (route) => {
    refused++
    return route.abort('internetdisconnected')
  })
  await page.reload()
  await until(async () => refused > 1, 'the page requests the map again and fails')
  await page.getByText('Ada, we have your order.').waitFor()
  assert.equal(await map.count(), 0)
  await page.unroute(drawing)
  for (const offline of [true, false]) await page.context().setOffline(offline)
  await map.waitFor()
})

test('the page says that a delivery is late, on hold, cancelled or deleted', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const { api } = pages
  const refused = await ownDelivery(api, SAM, { reference: 'WC-1' })
  const cancelled = await ownDelivery(api, SAM, { reference: 'WC-2' })
  const sam = await driverApi(api, SAM)
  await sam.call(`POST /driver/jobs/${refused.id}/refuse`)
  await api.call(`PATCH /demo/deliveries/${cancelled.id}/request-cancel`)
  const cases: [path: string, name: string, words: string | RegExp][] = [
    [pathOf(refused.tracking_url), 'track-held', /The store is sorting something out/],
    [pathOf(cancelled.tracking_url), 'track-cancelled', /this delivery was cancelled/],
    [`/track/${'A'.repeat(48)}`, 'track-gone', 'There is nothing to track here.'],
  ]
  for (const [path, name, words] of cases) {
    await seen(pages, path, name, (page) => page.getByText(words).first().waitFor())
  }
  await api.fixture.setClock(Date.parse(refused.to_datetime) + 60_000)
  const late = (page: Page) => page.getByText(/we are late/).waitFor()
  await seen(pages, pathOf(refused.tracking_url), 'track-late', late)
})

test('input is shown as it was typed, and runs no script', { skip }, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['track'])
  const nasty = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
  const delivery = await ownDelivery(pages.api, SAM, {
    reference: '<b>WC</b>&amp;',
    special_instructions: nasty,
    customer: {
      first_name: `{{7*7}}"><svg onload=alert(1)>`,
      last_name: 'N',
      phone: '0491570156',
      email: 'a@example.com',
    },
  })
  const page = await pages.visit({ path: pathOf(delivery.tracking_url) })
  await page.getByText('<img src=x onerror=').waitFor()
  await page.getByText('Order <b>WC</b>&amp;').waitFor()
  assert.notEqual(await page.title(), 'run')
  assert.equal(await page.locator('main img').count(), 0)
})
