import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_USERS } from '../../src/operations/secrets/demo-clients.ts'
import { deliveryBody } from '../api.ts'
import { until } from '../wait-until.ts'
import { assertAccessible, lookAt, openPages, picture, withoutBrowser } from './browser.ts'
import { chooseStore, logIn, shopDay } from './shop-day.ts'

const PERTH = {
  store_reference: 'perth-cbd',
  ready_for_pickup_at: '2026-11-24T15:00:00',
  address: {
    address: '5 Rokeby Road',
    city: 'Subiaco',
    state: 'WA',
    post_code: '6008',
    country: 'AU',
  },
}

test('several stores', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  const { api } = pages
  const create = async (over: object) => {
    const { status, text } = await api.call('POST /demo/deliveries', {
      body: deliveryBody({ ...PERTH, ...over }),
    })
    assert.equal(status, 201, text)
  }
  await create({ reference: 'WA-1' })
  await create({ reference: 'WA-2', delivery_type: 'standard', book_delivery_now: true })

  await t.test('in a new browser the portal opens the store that has work', async () => {
    // The clerk's first store, Melbourne CBD, has no work.
    const clerk = DEMO_USERS.find(({ role }) => role === 'store_clerk')
    assert.deepEqual(clerk?.storeReferences, ['melbourne-cbd', 'fitzroy'])
    const page = await pages.visit()
    await logIn(page, 'store_clerk')
    await page.getByRole('button', { name: 'Store: Fitzroy' }).waitFor()
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    // A user's choice lasts, whichever store has work.
    await chooseStore(page, 'Melbourne CBD')
    await page.reload()
    await page.getByRole('button', { name: 'Store: Melbourne CBD' }).waitFor()
    await page.context().close()
  })

  await t.test('deliveries of another store show that store’s name and time zone', async () => {
    const page = await pages.visit()
    await logIn(page, 'merchant_admin')
    await chooseStore(page, 'Fitzroy')
    await page.goto(`${pages.url}/portal/deliveries?store=everywhere`)
    const row = page.locator('.all-row', { hasText: 'WA-1' })
    await row.getByText('Perth CBD').waitFor()
    await page.locator('.all-row', { hasText: 'WC-10482' }).getByText('Fitzroy').waitFor()
    await lookAt(page, 'deliveries-of-all-stores')
    await row.getByRole('link').focus()
    await page.keyboard.press('e')
    await page.getByRole('heading', { name: 'Amend WA-1' }).waitFor()
    await page.getByText('Local time at Perth CBD').waitFor()
    const before = await page.getByText(/^Before this change: about /).textContent()
    const window = /about (.*?)(?:, \$.*)?\.$/.exec(before ?? '')?.[1] ?? ''
    await page.locator('.opt .w', { hasText: window }).first().waitFor()
    await picture(page, 'amend-elsewhere')
    await page.getByRole('main').getByRole('link', { name: 'WA-1' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.keyboard.press('r')
    await page.getByText('Perth CBD has no couriers of its own yet.').waitFor()

    await api.fixture.deps.db.query(
      `update deliveries set cancel_requested_at = to_timestamp($1 / 1000.0), replan_requested = true, due_at = null
       where reference = 'WA-2'`,
      [Date.parse('2026-11-24T10:40:00+11:00')],
    )
    const { json } = await api.call('GET /demo/deliveries/WA-2')
    await page.goto(`${pages.url}/portal/deliveries/${json.data.id}`)
    await page.getByText('7:40 am, so that we can book another carrier').waitFor()
    await page.locator('.crumb').getByRole('link', { name: 'Today' }).click()
    await page.getByRole('button', { name: 'Store: Perth CBD' }).waitFor()
    await page.context().close()
  })

  await t.test('the store menu fits the screen, and a search finds one of many stores', async () => {
    const page = await pages.visit({ width: 1280, height: 320 })
    await logIn(page, 'merchant_admin')
    await page.getByRole('button', { name: /^Store:/ }).click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const size = await menu.evaluate(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }))
    assert.ok(size.scrollHeight > size.clientHeight)
    await assertAccessible(page, 'menu of stores')
    await until(() => menu.evaluate((one) => one.matches(':focus-within')), 'the menu has the focus')
    await page.keyboard.press('End')
    const last = page.getByRole('menuitem').last()
    await until(() => last.evaluate((one) => one.matches(':focus')), 'the last store has the focus')
    const box = await last.boundingBox()
    assert.ok(box && box.y + box.height <= 320, 'the last store is visible')

    const { json: document } = await api.operator('GET /admin/accounts/demo')
    const [store] = document.stores
    for (let number = 1; number <= 30; number++) {
      document.stores.push({ ...store, reference: `kiosk-${number}`, name: `Kiosk ${number}` })
    }
    const { status, text } = await api.operator('PUT /admin/accounts/demo', { body: document })
    assert.equal(status, 200, text)
    await page.reload()
    await page.setViewportSize({ width: 1440, height: 900 })
    const button = page.getByRole('button', { name: /^Store:/ })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Which store?' })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Kiosk 30' }).waitFor()
    await lookAt(page, 'choose-store')
    await page.keyboard.type('nowhere')
    await dialog.getByText('No store matches that name.').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('kiosk 2')
    await until(
      async () => (await dialog.locator('li').count()) === 11,
      'the list shows ten stores and a note',
    )
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Store: Kiosk 20' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.type('hob')
    await until(async () => (await dialog.locator('li').count()) === 1, 'one store matches')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Store: Hobart CBD' }).waitFor()
    await page.context().close()
  })
})
