import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { DEMO_USERS } from '../../src/operations/secrets/demo-clients.ts'
import { until } from '../wait-until.ts'
import { lookAt, openPages, picture, withoutBrowser } from './browser.ts'
import { atFitzroy, shopDay } from './shop-day.ts'

const CLOSED = 'No connection. You can continue once the connection is back.'
/** Data of this age is loaded again when the page becomes visible. */
const STALE_MS = 5_100

test('lost requests and an expired session', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  const { db } = pages.api.fixture.deps
  const enter = () => atFitzroy(pages)
  const order = (page: Page) => page.getByLabel('Order number', { exact: true })

  await t.test('a failed refresh leaves a half-typed form as it is', async () => {
    const page = await enter()
    await page.keyboard.press('n')
    await order(page).fill('WC-50001')
    let failed = 0
    await page.route('**/demo/stores', async (route) => {
      await route.fulfill({ status: 503 })
      failed++
    })
    await page.waitForTimeout(STALE_MS)
    const comeBack = () => page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await comeBack()
    await until(async () => failed === 3, 'the requests for the stores fail')
    // The page retries only after it has seen the failure.
    await until(async () => {
      await comeBack()
      return failed > 3
    }, 'the page requests the stores again')
    assert.equal(await order(page).inputValue(), 'WC-50001')
    await page.context().close()
  })

  await t.test('an expired session asks for a login above the form, which stays', async () => {
    const page = await enter()
    await page.keyboard.press('n')
    await order(page).fill('WC-50002')
    await db.query('delete from user_sessions')
    const dialog = page.getByRole('dialog', { name: 'You’ve been logged out.' })
    await dialog.waitFor()
    await lookAt(page, 'log-in-again')
    for (const _ of 'twice') await page.keyboard.press('Escape')
    await dialog.waitFor()
    const password = dialog.getByLabel('Password', { exact: true })
    await password.fill('a wrong password')
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.getByRole('alert').waitFor()
    await password.fill(passwordOf('store_clerk'))
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await order(page).inputValue(), 'WC-50002')

    await db.query('delete from user_sessions')
    await dialog.waitFor()
    await dialog.getByLabel('Email').fill('admin@wattle.example')
    await password.fill(passwordOf('merchant_admin'))
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: /Ada Admin/ }).waitFor()
    assert.equal(await order(page).inputValue(), '', 'another user starts with an empty form')
    await page.context().close()
  })

  await t.test('a login form that can’t be loaded leaves the form below as it is', async () => {
    const page = await enter()
    const file = '**/log-in-*.js*'
    let failed = 0
    await page.route(file, (route) => {
      failed++
      return route.abort()
    })
    await page.reload()
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    await until(async () => failed > 0, 'the file was requested ahead')
    await page.keyboard.press('n')
    await order(page).fill('WC-50003')
    await db.query('delete from user_sessions')
    const dialog = page.getByRole('dialog', { name: 'You’ve been logged out.' })
    await dialog.getByText('We couldn’t load the login form.').waitFor()
    await lookAt(page, 'log-in-not-loaded')
    await page.unroute(file)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill(passwordOf('store_clerk'))
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await order(page).inputValue(), 'WC-50003')
    await page.context().close()
  })

  await t.test('offline, actions that write are disabled, and nothing is sent later', async () => {
    const page = await enter()
    await page.getByRole('link', { name: 'WC-10482' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.locator('.map svg').waitFor()
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
    await cancel.click()
    const dialog = page.getByRole('dialog')
    const written: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') written.push(request.url())
    })
    await page.context().setOffline(true)
    await dialog.getByText(CLOSED).waitFor()
    // A response to a request from before the break may still arrive, and enable it for a moment.
    const confirm = dialog.getByRole('button', { name: 'Cancel it' })
    await until(async () => (await confirm.getAttribute('aria-disabled')) !== null, 'the button is disabled')
    await confirm.click({ force: true })
    await lookAt(page, 'cancel-without-connection')
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await page.locator('.reason').getByText(CLOSED).waitFor()
    assert.equal(await page.locator('.acts > :not([aria-disabled])').count(), 0)
    await lookAt(page, 'delivery-without-connection')
    await page.context().setOffline(false)
    await until(
      async () => (await cancel.getAttribute('aria-disabled')) === null,
      'the button is enabled again',
    )
    assert.deepEqual(written, [])
    const { json } = await pages.api.call('GET /demo/deliveries/WC-10482')
    assert.notEqual(json.data.status, 'cancelled')
    assert.equal(json.data.pending_cancellation, undefined)

    await page.keyboard.press('m')
    const submit = page.getByRole('button', { name: /^Submit \d/ })
    await submit.waitFor()
    await page.context().setOffline(true)
    await page.locator('.foot').getByText(CLOSED).waitFor()
    await page.keyboard.press('Control+Enter')
    await lookAt(page, 'manifest-without-connection')
    await page.context().setOffline(false)
    await until(
      async () => (await submit.getAttribute('aria-disabled')) === null,
      'the button is enabled again',
    )
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.context().close()
  })

  await t.test('a page that cannot be loaded says so, and the frame stays', async () => {
    const page = await enter()
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    await page.context().setOffline(true)
    const couriers = page.getByRole('link', { name: 'Couriers' })
    await couriers.click()
    await page.getByText('You’re offline, and this device hasn’t saved this page yet.').waitFor()
    await lookAt(page, 'page-without-connection')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Couriers' }).waitFor()
    await page.context().close()
  })

  await t.test('the page reports a failing server, and retries by itself after a rate limit', async () => {
    const page = await enter()
    await page.getByRole('link', { name: 'WC-10482' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
    const isOpen = async () => (await cancel.getAttribute('aria-disabled')) === null
    const updates = (url: URL) => url.pathname === '/demo/events'
    await page.route(updates, (route) => refuse(route, 503, 2))
    await page.getByText(/^This page was last updated at \d+:\d\d [ap]m\. Everything you did/).waitFor()
    await page.locator('.reason').getByText('Our database isn’t available. ').waitFor()
    assert.equal(await isOpen(), false)
    assert.equal(await page.getByText('No connection').count(), 0)
    await picture(page, 'delivery-server-in-trouble')

    await page.unroute(updates)
    let asked = 0
    await page.route(updates, (route) => (asked++ === 0 ? refuse(route, 429, 3) : route.continue()))
    await page.getByText(/^We’ll try again in [1-3] seconds?\.$/).waitFor()
    assert.equal(await isOpen(), true)
    await picture(page, 'delivery-too-fast')
    await page.getByText('Too many requests.').waitFor({ state: 'hidden' })

    let read = 0
    await page.route(
      (url) => url.pathname === '/demo/deliveries',
      (route) => (read++ === 0 ? refuse(route, 429, 1) : route.continue()),
    )
    await page.goto(`${pages.url}/portal/today`)
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    assert.ok(read > 1, 'the page repeats the request after the rate limit')
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.context().close()
  })

  await t.test('a browser that wrongly reports itself offline still sends an action at once', async () => {
    const page = await enter()
    await page.getByRole('link', { name: 'WC-10490' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.evaluate(`window.dispatchEvent(new Event('offline'))`)
    await page.route('**/request-cancel', (route) => route.abort())
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await page
      .getByText('There was no response, so it may or may not have worked. Check before you try again.')
      .waitFor()
    await page.unroute('**/request-cancel')
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await page.getByRole('heading', { name: 'WC-10490' }).getByText('Cancelled').waitFor()
    await page.context().close()
  })

  await t.test('a lost response is reported, and pressing again makes no second delivery', async () => {
    const page = await enter()
    await page.keyboard.press('n')
    for (const [label, value] of [
      ['First name', 'Ada'],
      ['Last name', 'Nguyen'],
      ['Phone', '0491 570 156'],
      ['Email', 'ada@example.com'],
      ['Street address', '12 Lygon Street'],
      ['Length, cm', '30'],
      ['Width, cm', '20'],
      ['Height, cm', '15'],
      ['Weight, kg', '2.5'],
    ] as const) {
      await page.getByLabel(label).fill(value)
    }
    await order(page).fill('WC-50003')
    // The options arrive after the first press: the second press still repeats the first request.
    const options = Promise.withResolvers<void>()
    await page.route('**/quote-next-available*', async (route) => {
      await options.promise
      await route.continue()
    })
    await page.getByRole('combobox', { name: 'Suburb' }).fill('Brunswick E')
    await page.getByRole('option', { name: 'Brunswick East VIC 3057' }).click()
    // The request arrives and succeeds; its response is lost on the way back.
    const wire = await page.context().newCDPSession(page)
    wire.on('Fetch.requestPaused', ({ requestId }) =>
      wire.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }),
    )
    await wire.send('Fetch.enable', {
      patterns: [{ urlPattern: '*/demo/deliveries', requestStage: 'Response' }],
    })
    const make = page.getByRole('button', { name: /^Create delivery/ })
    await make.click()
    await page.getByText('It’s safe to try again: it won’t be done twice.').waitFor()
    await page.getByRole('heading', { name: 'No connection.' }).waitFor()
    const { json } = await pages.api.call('GET /demo/deliveries/WC-50003')
    await wire.send('Fetch.disable')
    options.resolve()
    await page.locator('.options').getByText('$').first().waitFor()
    await make.click()
    await page.getByRole('heading', { name: 'WC-50003' }).waitFor()
    assert.ok(page.url().endsWith(json.data.id), 'both presses made the same delivery')
    await page.context().close()
  })

  await t.test('a read without a response is retried', async () => {
    const page = await enter()
    let lost = 0
    await page.route(
      (url) => url.pathname === '/demo/deliveries',
      (route) => (lost++ < 2 ? route.abort() : route.continue()),
    )
    await page.reload()
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    assert.ok(lost > 2)
    await page.context().close()
  })

  await t.test('each part of a page that could not be read shows its error', async () => {
    const page = await enter()
    const reject = (route: Route) => refuse(route, 403, 1)
    const errors = page.getByRole('heading', { name: 'You can’t do this.' })
    const parts = /\/deliveries\/[^/]+\/(decision|events)$/
    await page.route(parts, reject)
    await page.getByRole('link', { name: 'WC-10482' }).click()
    await until(async () => (await errors.count()) === 2, 'the decision and the history show their errors')
    await page.unroute(parts)
    for (let left = 2; left > 0; left--) {
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await until(async () => (await errors.count()) === left - 1, 'a part is read again')
    }
    await page.getByRole('heading', { name: 'What happened' }).waitFor()

    await page.route(/on_day=/, reject)
    await page.goto(`${pages.url}/portal/couriers`)
    await errors.waitFor()
    await page.getByRole('region', { name: 'Sam Okafor' }).waitFor()
    assert.equal(await page.getByText('No jobs right now.').count(), 0)
    await page.context().close()
  })
})

function refuse(route: Route, status: number, retryAfter: number): Promise<void> {
  const headers = { 'retry-after': `${retryAfter}` }
  return route.fulfill({ status, headers, contentType: 'application/problem+json', body: '{}' })
}

function passwordOf(role: string): string {
  const user = DEMO_USERS.find((one) => one.role === role)
  assert.ok(user)
  return user.password
}
