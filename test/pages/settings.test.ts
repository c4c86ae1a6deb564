import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { deliveryBody } from '../api.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { byMouse } from './hands.ts'
import { OWNER_TASKS, type OwnerTask } from './owner-tasks.ts'
import { logIn, shopDay } from './shop-day.ts'

test('an owner changes the shop’s settings', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  const { api } = pages
  const documentNow = async () => (await api.operator('GET /admin/accounts/demo')).json
  const runTask = async (page: Page, { run, check, maxPresses }: OwnerTask) => {
    const hands = byMouse(page)
    await run(page, hands, (name) => lookAt(page, name))
    assert.ok(hands.presses() <= maxPresses, `${hands.presses()} presses`)
    await check?.(api)
  }
  const idOf = async (reference: string) => (await api.call(`GET /demo/deliveries/${reference}`)).json.data.id
  const owner = async (path = '/portal/today') => {
    const page = await pages.visit({ path })
    await logIn(page, 'merchant_admin')
    return page
  }

  await t.test('Perth closes at one on Saturdays: at most six presses', async () => {
    const before = await documentNow()
    const page = await owner()
    await runTask(page, OWNER_TASKS.closeEarlier)
    const expected = structuredClone(before)
    expected.stores[6].hours.sat = '09:00-13:00'
    assert.equal(JSON.stringify(await documentNow()), JSON.stringify(expected))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Applied.').waitFor({ state: 'detached' })
    assert.equal(JSON.stringify(await documentNow()), JSON.stringify(before))
    await page.context().close()
  })

  await t.test('a second store, with the hours of the first: at most fifteen presses', async () => {
    const page = await owner()
    await runTask(page, OWNER_TASKS.addStore)
    await page.context().close()
  })

  await t.test(
    'a review says which promises it would change, and what last week would have cost',
    async () => {
      const { status, text } = await api.call('POST /demo/deliveries', {
        body: deliveryBody({
          reference: 'WC-SATURDAY',
          store_reference: 'fitzroy',
          ready_for_pickup_at: '2026-11-28T14:00:00+11:00',
          delivery_type: 'fast',
        }),
      })
      assert.equal(status, 201, text)
      const page = await owner('/portal/settings/stores/fitzroy')
      await page.getByLabel('Saturday closes').fill('13:00')
      await page.getByRole('button', { name: 'Review' }).click()
      const consequences = page.getByRole('region', { name: 'Consequences' })
      await consequences
        .getByText(/^1 delivery promised for Saturday 28 November.* would now arrive/)
        .waitFor()
      await consequences.getByRole('link', { name: 'WC-SATURDAY' }).waitFor()
      await consequences
        .getByRole('button', { name: 'Try these settings on the past week’s deliveries' })
        .click()
      await consequences.getByText(/from the last seven days would have (gone with|kept)/).waitFor()
      await lookAt(page, 'settings-consequences')
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await page.getByRole('button', { name: 'Undo all' }).click()
      await page.context().close()
    },
  )

  await t.test('Perth opens on a Sunday before Christmas; the same day cannot be closed', async () => {
    const before = await documentNow()
    const page = await owner('/portal/settings/stores/perth-cbd')
    await page.getByRole('button', { name: 'Add extra opening hours' }).click()
    const extra = page.getByRole('group', { name: 'Extra opening 1' })
    await extra.getByLabel('First day').fill('2026-12-13')
    await extra.getByLabel('Extra opening 1 closes').fill('15:00')
    await extra.getByRole('button', { name: 'Add a break to extra opening 1' }).click()
    await extra.getByLabel('Extra opening 1, after the break, closes').waitFor()
    await extra
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click()
    await extra.getByLabel('Extra opening 1 closes').fill('15:00')
    await extra.getByLabel('Reason').fill('Christmas shopping')
    await page.getByRole('button', { name: 'Add closed days' }).click()
    const closure = page.getByRole('group', { name: 'Closure 1' })
    await closure.getByLabel('First day').fill('2026-12-13')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('A closure also covers 2026-12-13.').waitFor()
    await lookAt(page, 'settings-extra-opening')
    await closure.getByRole('button', { name: 'Remove closure 1' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page
      .getByText('Perth CBD opens on Sunday 13 December 2026 from 10 am to 3 pm (Christmas shopping).')
      .waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
    const expected = structuredClone(before)
    expected.stores[6].openings = [{ from: '2026-12-13', hours: '10:00-15:00', reason: 'Christmas shopping' }]
    assert.deepEqual(await documentNow(), expected)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Applied.').waitFor({ state: 'detached' })
    assert.deepEqual(await documentNow(), before)
    await page.context().close()
  })

  await t.test(
    'a store’s label printer: staff see its name at Print, and its format is printed',
    async () => {
      const before = await documentNow()
      const page = await owner('/portal/settings/stores/fitzroy')
      const labels = page.getByRole('region', { name: 'Labels' })
      await labels.getByRole('combobox', { name: 'Label format' }).click()
      await page.getByRole('option', { name: /^ZPL/ }).click()
      await labels.getByLabel('Printer').fill('Zebra by the packing bench')
      await lookAt(page, 'settings-labels')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByText('Labels at Fitzroy print as ZPL, for a label printer.').waitFor()
      await page.getByText('Labels at Fitzroy print on Zebra by the packing bench.').waitFor()
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText('Applied.').waitFor()
      const expected = structuredClone(before)
      expected.stores[1].labels = { format: 'zpl', printer: 'Zebra by the packing bench' }
      assert.deepEqual(await documentNow(), expected)

      await page.goto(`${pages.url}/portal/deliveries/${await idOf('WC-10473')}`)
      const print = page.getByRole('button', { name: 'Print label on Zebra by the packing bench' })
      await print.waitFor()
      await lookAt(page, 'delivery-print-on')
      const [file] = await Promise.all([page.waitForEvent('download'), print.click()])
      assert.equal(file.suggestedFilename(), 'labels.zpl')
      await page.getByText(/^We saved labels\.zpl\. Did .+ print on Zebra by the packing bench\?$/).waitFor()
      await page.getByRole('link', { name: 'Save the file again' }).waitFor()
      await lookAt(page, 'delivery-printed-on')
      await page.getByRole('button', { name: /^Yes/ }).click()
      await page.goto(`${pages.url}/portal/today`)
      const row = page.locator('.row', { hasText: 'WC-10475' })
      await row.getByRole('checkbox').check()
      await page.getByRole('button', { name: /^Print .+ on Zebra by the packing bench/ }).waitFor()
      await lookAt(page, 'today-print-on')
      await api.operator('PUT /admin/accounts/demo', { body: before })
      await page.context().close()
    },
  )

  await t.test('a mistake is named, and nothing is applied', async () => {
    const before = await documentNow()
    const page = await owner('/portal/settings/stores/fitzroy')
    await page.getByLabel('Suburb').fill('Perth')
    await page.getByLabel('Monday closes').fill('08:00')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('We can’t apply your changes until you correct these 2 mistakes:').waitFor()
    await lookAt(page, 'settings-mistakes')
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('not applied').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Suburb').inputValue(), 'Fitzroy')
    assert.deepEqual(await documentNow(), before)
    await page.context().close()
  })

  await t.test(
    'of two owners who save at once, the second sees the first’s change and loses nothing',
    async () => {
      const first = await owner('/portal/settings/stores/perth-cbd')
      const second = await owner('/portal/settings/stores/hobart-cbd')
      await second.getByLabel('Saturday closes').fill('15:00')
      await first.getByRole('button', { name: 'Add closed days' }).click()
      await first.getByLabel('First day').fill('2026-12-24')
      await first.getByRole('button', { name: 'Review' }).click()
      await first.getByText('Perth CBD is closed on 24 December 2026.').waitFor()
      await first.getByRole('button', { name: 'Apply' }).click()
      await first.getByText('Applied.').waitFor()

      await second.getByRole('button', { name: 'Review' }).click()
      await second.getByText('Someone else has changed the settings').waitFor()
      await second.getByText('Perth CBD is closed on 24 December 2026.').waitFor()
      await lookAt(second, 'settings-somebody-else')
      await second.getByRole('button', { name: 'Review' }).click()
      await second.getByText('Hobart CBD closes at 3 pm on Saturdays instead of 4 pm.').waitFor()
      await second.getByRole('button', { name: 'Apply' }).click()
      await second.getByText('Applied.').waitFor()
      const { stores } = await documentNow()
      assert.deepEqual(stores[6].closures, [{ from: '2026-12-24' }])
      assert.equal(stores[7].hours.sat, '09:00-15:00')

      await second.goto(`${pages.url}/portal/settings/history`)
      await second
        .getByRole('button', { name: /^What changed in version/ })
        .first()
        .click()
      await second.getByText('Hobart CBD closes at 3 pm on Saturdays instead of 4 pm.').waitFor()
      await lookAt(second, 'settings-history')
      await second.getByRole('button', { name: 'Close' }).click()

      const { promise: held, resolve: answer } = Promise.withResolvers<void>()
      await second.route('**/versions/1', (route) => held.then(() => route.continue()))
      await second.getByRole('button', { name: 'Go back to version 1', exact: true }).click()
      const answered = second.waitForResponse('**/versions/1')
      await second.getByRole('button', { name: 'Go back to version 2', exact: true }).click()
      const goBack = second.getByRole('dialog', { name: 'Go back to version 2?' })
      await goBack.waitFor()
      answer()
      await (await answered).finished()
      const errors = [{ field: 'stores[0].name', message: 'Must be shorter.' }]
      const json = {
        type: 'about:blank',
        code: 'invalid_request',
        detail: 'The request is not valid.',
        errors,
      }
      await second.route('**/accounts/demo?*', (route) => route.fulfill({ status: 400, json }))
      await goBack.getByRole('button', { name: 'Go back' }).click()
      await goBack.getByText('We can’t go back to this version:').waitFor()
      await goBack.getByText('Must be shorter.').waitFor()
      await first.context().close()
      await second.context().close()
    },
  )

  await t.test('brands and bookings', async () => {
    const page = await owner('/portal/settings/brands')
    await page.getByLabel('Colour').first().fill('#204060')
    await lookAt(page, 'settings-brands')
    await page.getByRole('link', { name: 'Bookings' }).click()
    await page.getByLabel('Book a carrier this many minutes before the order is ready').fill('45')
    await lookAt(page, 'settings-bookings')
    await page.getByText('2 changes not applied').waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Wattle & Co: “colour” changes from #17513f to #204060.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
    const { brands, booking } = await documentNow()
    assert.deepEqual([brands[0].colour, booking.lead_minutes], ['#204060', 45])
    await page.context().close()
  })

  await t.test('delivery types and dangerous goods; what is not granted says so', async () => {
    const page = await owner('/portal/settings/delivery-types')
    const express = page.getByRole('region', { name: 'Express' })
    await express.getByLabel('Latest delivery').fill('19:00')
    await lookAt(page, 'settings-delivery-types')
    await page.getByRole('link', { name: 'Dangerous goods' }).click()
    await page.getByRole('button', { name: 'Add goods' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add dangerous goods' })
    await dialog.getByLabel('Proper shipping name').fill('Paint')
    await dialog.getByLabel('UN number').fill('1263')
    await dialog.getByLabel('Class or division').fill('3')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('region', { name: 'paint' }).getByLabel('Packing group').waitFor()
    await lookAt(page, 'settings-dangerous-goods')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Delivery type Express: deliveries arrive by 7 pm instead of 6 pm.').waitFor()
    await page.getByText('The dangerous goods definition “paint” is added.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
    const { dangerous_goods_definitions: goods, delivery_types } = await documentNow()
    assert.deepEqual(goods.at(-1), {
      name: 'paint',
      technical_name: 'Paint',
      un_number: 'UN1263',
      class_division: '3',
    })
    assert.equal(delivery_types.express.timing.on_day.to, '19:00')

    const { status } = await api.operator('PUT /admin/accounts/demo', {
      body: { ...(await documentNow()), owner_grants: [] },
    })
    assert.equal(status, 200)
    await page.goto(`${pages.url}/portal/settings/delivery-types`)
    await express
      .getByText('Only your implementation partner can start or stop offering a delivery type.')
      .waitFor()
    await page.context().close()
  })

  await t.test('a rate card from the owner’s own sheet: five presses; a price in dollars', async () => {
    await api.operator('PUT /admin/accounts/demo', {
      body: { ...(await documentNow()), owner_grants: ['carriers'] },
    })
    const page = await owner('/portal/settings/prices')
    const dear = 'kind,zone,postcodes,up_to_kg,price\nzone,metro,3000-3207,,\nrate,metro,,5,dear\n'
    await page
      .getByLabel('Price list for Swiftly TODAY')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(dear) })
    await page.getByText('row 3, price:').waitFor()
    await lookAt(page, 'settings-price-list-mistake')
    await page.goto(`${pages.url}/portal/today`)
    await runTask(page, OWNER_TASKS.uploadPrices)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('region', { name: 'Swiftly TODAY' }).getByLabel('Base price').waitFor()

    await page.getByRole('region', { name: 'Swiftly NOW' }).getByLabel('Base price').fill('9.5')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Swiftly NOW: “base price” changes from $8.90 to $9.50.').waitFor()
    await page.context().close()
  })
})
