import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startAuspost } from '../../fakes/auspost/start-auspost.ts'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { deliveryBody } from '../api.ts'
import { AUSPOST } from '../fake-auspost.ts'
import { TUESDAY_TEN_MS } from '../fixture.ts'
import { until } from '../wait-until.ts'
import { lookAt, openPages, type Visit, withoutBrowser } from './browser.ts'
import { tabTo } from './keyboard.ts'
import { logIn } from './shop-day.ts'

test('an owner sets up the carriers', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  const { api } = pages
  await ensureDemoUsers(api.fixture.deps)
  const fake = await startAuspost({ nowMs: TUESDAY_TEN_MS })
  t.after(() => fake.close())
  const documentNow = async () => (await api.operator('GET /admin/accounts/demo')).json
  const change = async (changes: object) => {
    const body = { ...(await documentNow()), ...changes }
    const { status, text } = await api.operator('PUT /admin/accounts/demo', { body })
    assert.equal(status, 200, text)
  }
  // A busy machine answers late.
  await change({ quotes: { carrier_deadline_ms: 10_000 } })
  const owner = async (visit: Visit) => {
    const page = await pages.visit(visit)
    await logIn(page, 'merchant_admin')
    await sendToFake(page, fake.url)
    return page
  }
  const apply = async (page: Page) => {
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
  }

  await t.test('Australia Post is added, its login stored and tested, and a delivery is booked', async () => {
    const page = await owner({ path: '/portal/settings/carriers' })
    await page.getByRole('button', { name: 'Add a carrier' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a carrier' })
    await dialog.getByRole('combobox', { name: 'Carrier' }).click()
    await page.getByRole('option', { name: 'Australia Post' }).click()
    await dialog.getByLabel('Account number').fill(AUSPOST)
    await lookAt(page, 'settings-add-carrier')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name: 'Australia Post' }).waitFor()

    const login = page.getByRole('region', { name: 'Login' })
    await login.getByLabel('API key', { exact: true }).fill('fake-key')
    await login.getByLabel('API password', { exact: true }).fill('CANARY-WRONG')
    await login.getByRole('button', { name: 'Save the login' }).click()
    await login
      .getByText(/^Saved on \d+ [A-Z][a-z]+( \d{4})? by Ada Admin$/)
      .first()
      .waitFor()
    await login.getByRole('button', { name: 'Test login' }).click()
    await login.getByText('We couldn’t log in.').waitFor()
    await login.getByText(/The API key or password is not right/).waitFor()
    assert.ok(!(await page.content()).includes('CANARY-WRONG'))

    await login.getByRole('button', { name: 'Replace login' }).click()
    await login.getByText('Enter the login details first.').waitFor()
    await login.getByLabel('API password', { exact: true }).fill('fake-password')
    await login.getByRole('button', { name: 'Save the login' }).click()
    await login.getByRole('button', { name: 'Test login' }).click()
    await login.getByText('The login works.').waitFor()
    await lookAt(page, 'settings-carrier')
    assert.doesNotMatch(await page.content(), /fake-password|fake-key/)

    await page.getByRole('button', { name: 'Stop offering Express Post' }).click()
    await page.getByLabel('Only these stores').check()
    await page.getByLabel('Perth CBD').uncheck()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Australia Post is added.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()

    const document = await documentNow()
    const { base_url: _, ...added } = document.carriers.at(-1)
    assert.deepEqual(
      [added.provider, added.live_prices, added.credentials, added.settings],
      [
        'auspost',
        true,
        { api_key: { secret: 'auspost-api-key' }, password: { secret: 'auspost-password' } },
        { account_number: AUSPOST },
      ],
    )
    assert.deepEqual(
      added.services.map(({ service }: { service: string }) => service),
      ['Parcel Post'],
    )
    assert.equal(added.limits.stores.length, document.stores.length - 1)
    await page.context().close()

    await change({ booking: { order: { preferred: ['auspost', 'southern_parcels'] } } })
    const body = deliveryBody({ reference: 'POST-1', delivery_type: 'standard', book_delivery_now: true })
    assert.equal((await api.call('POST /demo/deliveries', { body })).status, 201)
    const booked = await until(async () => {
      const { json } = await api.call('GET /demo/deliveries/POST-1')
      return json.data.status === 'booked' && json.data
    }, 'it is booked')
    assert.match(booked.consignment_number, /^FKE/)

    for (const line of ['GET /admin/accounts/demo', 'GET /admin/accounts/demo/secrets', 'GET /demo/carriers'])
      assert.doesNotMatch((await api.operator(line)).text, /CANARY|fake-password|fake-key/, line)
    const { rows } = await api.fixture.deps.db.query(
      'select row_to_json(audit_log)::text as row from audit_log',
    )
    assert.ok(rows.length > 0)
    for (const { row } of rows) assert.doesNotMatch(row, /CANARY|fake-password|fake-key/)
  })

  await t.test('a login is removed after the page has said what cannot be booked without it', async () => {
    const page = await owner({ path: '/portal/settings/carriers/auspost' })
    const login = page.getByRole('region', { name: 'Login' })
    await login.getByRole('button', { name: 'Remove login' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove the login for Australia Post?' })
    await dialog
      .getByText('Until you enter a login again, we won’t be able to book Parcel Post with Australia Post.')
      .waitFor()
    await dialog.getByText(/Australia Post is still on/).waitFor()
    await lookAt(page, 'settings-remove-login')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await api.operator('GET /admin/accounts/demo/secrets')).json.data.length, 2)
    await login.getByRole('button', { name: 'Remove login' }).click()
    const second = '**/secrets/auspost-password'
    await page.route(second, (route) => route.abort())
    await dialog.getByRole('button', { name: 'Remove the login' }).click()
    await login.getByLabel('API key', { exact: true }).waitFor()
    await dialog.getByText(/There was no response/).waitFor()
    await page.unroute(second)
    // The server removes it, and the response is lost.
    await page.route(second, async (route) => {
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
      assert.ok((await route.fetch({ headers })).ok())
      await route.abort()
    })
    const listed = page.waitForResponse('**/accounts/demo/secrets')
    await dialog.getByRole('button', { name: 'Remove the login' }).click()
    await (await listed).finished()
    await dialog.getByText(/There was no response/).waitFor()
    await page.unroute(second)
    await dialog.getByRole('button', { name: 'Remove the login' }).click()
    await dialog.waitFor({ state: 'detached' })
    await login.getByRole('button', { name: 'Remove login' }).waitFor({ state: 'detached' })
    assert.deepEqual((await api.operator('GET /admin/accounts/demo/secrets')).json.data, [])
    const { rows } = await api.fixture.deps.db.query(
      `select actor_kind, object from audit_log where action = 'deleteSecret' order by object`,
    )
    assert.deepEqual(rows, [
      { actor_kind: 'user', object: 'auspost-api-key' },
      { actor_kind: 'user', object: 'auspost-password' },
    ])
    await page.context().close()
  })

  await t.test('the order of carriers is changed with the keyboard alone', async () => {
    const page = await owner({ path: '/portal/settings/bookings' })
    const order = page.getByRole('list', { name: 'Order of carriers' })
    await order.waitFor()
    await tabTo(page, 'Move Southern Parcels up')
    await page.keyboard.press('Enter')
    await page.getByText('Southern Parcels is now number 1 of 2.').waitFor()
    assert.equal(
      await page.evaluate(`document.activeElement.getAttribute('aria-label')`),
      'Move Southern Parcels up',
    )
    await tabTo(page, 'Add Big Haul to the list')
    await page.keyboard.press('Enter')
    await order.getByText('3. Big Haul').waitFor()
    await lookAt(page, 'settings-booking-order')
    await tabTo(page, 'Review')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Review your changes' }).waitFor()
    await tabTo(page, 'Apply')
    await page.keyboard.press('Enter')
    await page.getByText('Applied.').waitFor()
    assert.deepEqual((await documentNow()).booking.order, {
      preferred: ['southern_parcels', 'auspost', 'big_haul'],
    })
    await page.context().close()
  })

  await t.test('a carrier is removed on a phone; Undo brings it back', async () => {
    const page = await owner({ path: '/portal/settings/carriers', width: 390, height: 844 })
    const before = await documentNow()
    await page.getByRole('link', { name: /^Big Haul/ }).click()
    await page.getByRole('button', { name: 'Remove the carrier' }).click()
    await page.getByText(/we’ll stop offering and booking Big Haul/).waitFor()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByRole('heading', { name: 'Carriers' }).waitFor()
    await page.getByRole('link', { name: /^Big Haul/ }).waitFor({ state: 'detached' })
    await apply(page)
    const { carriers, booking } = await documentNow()
    assert.ok(!carriers.some(({ provider }: { provider: string }) => provider === 'big_haul'))
    assert.deepEqual(booking.order.preferred, ['southern_parcels', 'auspost'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: /^Big Haul/ }).waitFor()
    assert.deepEqual(await documentNow(), before)
    await page.context().close()
  })

  await t.test('a second courier has a price of its own, and goes off and on at once', async () => {
    const page = await owner({ path: '/portal/settings/carriers' })
    await page.getByRole('button', { name: 'Add a carrier' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a carrier' })
    await dialog.getByRole('combobox', { name: 'Carrier' }).click()
    await page.getByRole('option', { name: 'A local courier' }).click()
    await dialog.getByLabel('Name').fill('Bob’s Couriers')
    await dialog.getByLabel('Email for bookings').fill('jobs@bob.example')
    for (const wrong of [' ', '12.345']) {
      await dialog.getByLabel('Price per delivery, incl. GST').fill(wrong)
      await dialog.getByText('Enter an amount in dollars and whole cents, such as 12.50.').waitFor()
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await dialog.getByLabel('Price per delivery, incl. GST').fill('12.50')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name: 'Bob’s Couriers' }).waitFor()
    await apply(page)
    const bob = (await documentNow()).carriers.at(-1)
    assert.deepEqual([bob.provider, bob.settings.email], ['local_courier', 'jobs@bob.example'])
    assert.deepEqual(bob.services[0].price, { base_cents: 1250 })

    await page.getByRole('button', { name: 'Switch off' }).click()
    const [switched] = await Promise.all([
      page.waitForRequest('**/switch'),
      page.getByRole('button', { name: 'Switch it off' }).click(),
    ])
    assert.deepEqual(switched.postDataJSON(), { on: false, decommissioned: false })
    await page.getByText('This carrier is off. It gets no new deliveries.').waitFor()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('This carrier is on.').waitFor()
    await page.context().close()
  })

  await t.test(
    'a price that is cleared or removed can be typed again, and costs nothing by itself',
    async () => {
      const before = await documentNow()
      const page = await owner({ path: '/portal/settings/prices' })
      const changes = page.getByRole('region', { name: 'Your changes' })
      const road = page.getByRole('region', { name: 'Southern Parcels ROAD' })
      const zone = road.getByLabel('Base price, everywhere else')
      await zone.fill('')
      await zone.pressSequentially('19.50')
      const freight = page.getByRole('region', { name: 'Big Haul FREIGHT' })
      const perKg = freight.getByLabel('Price per extra kilogram')
      await perKg.fill('')
      await perKg.pressSequentially('0.38')
      await changes.waitFor({ state: 'detached' })

      const now = page.getByRole('region', { name: 'Swiftly NOW' })
      await now.getByRole('button', { name: 'Remove the price of Swiftly NOW' }).click()
      await now.getByRole('button', { name: 'Set a price for Swiftly NOW' }).click()
      assert.equal(await now.getByLabel('Base price').inputValue(), '')
      await page.getByRole('button', { name: 'Review' }).click()
      await changes.getByText('We can’t apply your changes until you correct this mistake:').waitFor()
      await now.getByLabel('Base price').fill('9.20')

      // The response to the first Apply is lost.
      await page.route(/\/admin\/accounts\/demo\?expect_version=\d+$/, async (route) => {
        // Playwright sends no Sec-Fetch-Site by itself, and the server would reject the change.
        const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
        assert.equal((await route.fetch({ headers })).status(), 200)
        await route.abort()
      })
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('button', { name: 'Apply' }).click()
      await changes.getByRole('alert').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Review' }).click()
      const notice = page.getByRole('status').filter({ hasText: 'The settings already have your changes' })
      await notice.waitFor()
      assert.ok(await notice.evaluate((one) => one.matches(':focus')), 'it has the focus')
      const { price } = (await documentNow()).carriers[0].services[0]
      assert.deepEqual(price, { base_cents: 920 })
      await change({ carriers: before.carriers })
      await page.context().close()
    },
  )

  await t.test('the times of a service: last pickup, days by distance, couriers’ hours', async () => {
    const before = await documentNow()
    const at = (provider: string) =>
      before.carriers.findIndex((one: { provider: string }) => one.provider === provider)
    const page = await owner({ path: '/portal/settings/carriers/southern_parcels' })
    const road = page.getByRole('group', { name: 'ROAD' })
    await road.getByText('Delivery times for ROAD').click()
    await road.getByLabel('Last pickup of the day').fill('14:30')
    await road.getByLabel('Everywhere else').fill('8')
    await lookAt(page, 'settings-service-times')
    await page.getByRole('link', { name: 'Carriers', exact: true }).click()
    await page.getByRole('link', { name: /^Swiftly/ }).click()
    const now = page.getByRole('group', { name: 'NOW' })
    await now.getByText('Delivery times for NOW').click()
    const kind = now.getByLabel('When deliveries arrive')
    const choose = async (name: string) => {
      await kind.click()
      await page.getByRole('option', { name }).click()
    }
    await choose('A set number of business days after pickup')
    await now.getByLabel('Business days', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Review' }).click()
    await page
      .getByText(
        'Swiftly NOW: delivery windows are now set in business days, instead of minutes after the pickup.',
      )
      .waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await choose('A set number of minutes after pickup')
    await now.getByLabel('Length of the delivery window in minutes').fill('90')
    await now.getByLabel('Extra minutes for each kilometre').fill('4')
    const finish = now.getByLabel('Couriers finish')
    await finish.fill('00:00')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await finish.inputValue(), '00:00', 'midnight ends the day')
    await finish.fill('20:00')
    const only = now.getByRole('checkbox', { name: 'Couriers collect only during set hours' })
    await only.uncheck()
    await only.check()
    await page.getByText('Couriers collect only').first().waitFor()
    assert.equal(await finish.inputValue(), '21:00', 'what is in use comes back')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Swiftly NOW: the window is 90 minutes long instead of 60 minutes.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
    const expected = structuredClone(before)
    const services = expected.carriers[at('southern_parcels')].services
    const onDay = services.find((one: { service: string }) => one.service === 'ROAD').timing.on_day
    onDay.cut_off = '14:30'
    onDay.days.rest = 8
    const afterPickup = expected.carriers[at('swiftly')].services[0].timing.after_pickup
    Object.assign(afterPickup, { window_minutes: 90, minutes_per_km: 4 })
    assert.deepEqual(await documentNow(), expected)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Applied.').waitFor({ state: 'detached' })
    assert.deepEqual(await documentNow(), before)
    await page.context().close()
  })

  await t.test('without the partner’s grant the page says who changes carriers', async () => {
    await change({ owner_grants: [] })
    const page = await owner({ path: '/portal/settings/carriers' })
    await page.getByText(/^Only your implementation partner can add or remove carriers\./).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a carrier' }).count(), 0)
    await page.getByRole('link', { name: /^Southern Parcels/ }).click()
    await page
      .getByText(/^On this page, you can only change the carrier’s name and switch the carrier on or off\./)
      .waitFor()
    assert.ok(await page.getByRole('button', { name: 'Stop offering ROAD' }).isDisabled())
    assert.equal(await page.getByRole('button', { name: 'Remove the carrier' }).count(), 0)
    await lookAt(page, 'settings-carrier-not-granted')
    await page.context().close()
  })
})

/** The form sets no server; here Australia Post is the fake of this test. */
async function sendToFake(page: Page, base_url: string): Promise<void> {
  const moved = (carrier: { adapter?: string; provider?: string }) =>
    (carrier.adapter ?? carrier.provider) === 'auspost' ? { ...carrier, base_url } : carrier
  await page.route('**/admin/accounts/demo**', async (route) => {
    const request = route.request()
    if (request.method() === 'GET' || !/json/.test(request.headers()['content-type'] ?? ''))
      return route.continue()
    const body = request.postDataJSON()
    if (body?.carrier) body.carrier = moved(body.carrier)
    if (body?.carriers) body.carriers = body.carriers.map(moved)
    return route.continue({ postData: JSON.stringify(body) })
  })
}
