import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, customer, deliveryBody, lineItem, parcel } from '../api.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { byMouse } from './hands.ts'
import { LOGO, OWNER_TASKS } from './owner-tasks.ts'
import { logIn, shopDay } from './shop-day.ts'

/** Once it is decoded: the width is 0 until then. */
const LOGO_WIDTH = `(async () => {
  const image = document.querySelector('header.brand img')
  await image.decode()
  return image.naturalWidth
})()`

test('an owner sets up brands, boxes, goods, holidays and days', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal', 'track'])
  await shopDay(pages)
  const { api } = pages
  const documentNow = async () => (await api.operator('GET /admin/accounts/demo')).json
  const owner = async (path: string) => {
    const page = await pages.visit({ path })
    await logIn(page, 'merchant_admin')
    return page
  }

  await t.test('a logo: three presses from the brand to applied; customers see it', async () => {
    const page = await owner('/portal/today')
    const hands = byMouse(page)
    await OWNER_TASKS.uploadLogo.run(page, hands, async (name) => {
      await page.getByText('We removed these parts, which a logo file can’t contain: onload.').waitFor()
      await lookAt(page, name)
    })
    assert.ok(hands.presses() <= OWNER_TASKS.uploadLogo.maxPresses, `${hands.presses()} presses`)
    const { brands } = await documentNow()
    assert.match(brands[0].logo, /^data:image\/svg\+xml;base64,/)
    assert.doesNotMatch(Buffer.from(brands[0].logo.split(',')[1], 'base64').toString(), /onload|style/)

    const made = await api.call('POST /demo/deliveries', { body: deliveryBody() })
    const track = await pages.visit({ path: new URL(made.json.data.tracking_url).pathname })
    const image = track.getByRole('img', { name: 'Wattle & Co' })
    await image.waitFor()
    assert.equal(await track.evaluate(LOGO_WIDTH), 160)
    await lookAt(track, 'track-logo')
    await track.context().close()

    const { country: _, ...of } = address
    const order = { reference: 'LOGO-1', store_reference: 'perth-cbd', address: of, customer }
    const body = { ...order, line_items: [lineItem], parcels: [parcel] }
    const link = await api.call('POST /demo/links', { body })
    const book = await pages.visit({ path: new URL(link.json.data.link).pathname })
    await book.getByRole('img', { name: 'Wattle & Co' }).waitFor()
    assert.equal(await book.evaluate(LOGO_WIDTH), 160)
    await lookAt(book, 'book-logo')
    await book.context().close()

    await page
      .getByLabel('Logo file for Wattle & Co')
      .setInputFiles({ ...LOGO, buffer: Buffer.from('<p>no logo</p>') })
    await page.getByText('The file is not a PNG or an SVG.').waitFor()
    await page.getByRole('button', { name: 'Remove the logo' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page
      .getByText('Wattle & Co no longer has a logo. Customers see the brand’s name instead.')
      .waitFor()
    await page.context().close()
  })

  await t.test('a colour on which text is hard to read: the next shade with one press', async () => {
    const page = await owner('/portal/settings/brands')
    await page.getByText('White text is easy to read on this colour').waitFor()
    await page.getByLabel('Colour', { exact: true }).fill('#7b7b7b')
    await page.getByText('Text on this colour is hard to read').waitFor()
    await lookAt(page, 'settings-contrast')
    await page.getByRole('button', { name: /^Use #[0-9a-f]{6} instead$/ }).click()
    await page.getByText('text is easy to read on this colour').waitFor()
    await page.context().close()
  })

  await t.test('a box is added, and chosen when a delivery is entered', async () => {
    const page = await owner('/portal/settings/boxes')
    await page.getByRole('button', { name: 'Add a box' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a box' })
    await dialog.getByLabel('Name').fill('Shoe box')
    await dialog.getByLabel('Length, cm').fill('34')
    await dialog.getByLabel('Width, cm').fill('22')
    await dialog.getByLabel('Height, cm').fill('13')
    await lookAt(page, 'settings-add-box')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const box = page.getByRole('region', { name: 'Shoe box' })
    await box.getByLabel('Usual weight, kg').fill('1.5')
    await lookAt(page, 'settings-boxes')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('The box “Shoe box” is added.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
    assert.deepEqual((await documentNow()).usual_boxes, [
      { name: 'Shoe box', length_cm: 34, width_cm: 22, height_cm: 13, weight_kg: 1.5 },
    ])
    await page.goto(`${pages.url}/portal/new`)
    await page.getByRole('combobox', { name: 'Box', exact: true }).click()
    await page.getByRole('option', { name: 'Shoe box' }).click()
    assert.equal(await page.getByLabel('Length, cm').inputValue(), '34')
    assert.equal(await page.getByLabel('Weight, kg').inputValue(), '1.5')
    await page.context().close()
  })

  await t.test('restricted goods, days by distance, public holidays, booking links', async () => {
    const page = await owner('/portal/settings/restricted-goods')
    const now = page.getByRole('region', { name: 'Swiftly NOW' })
    await now.getByRole('combobox', { name: 'Tobacco' }).click()
    await page.getByRole('option', { name: 'Not accepted' }).click()
    await now.getByRole('combobox', { name: 'Alcohol' }).click()
    await page.getByRole('option', { name: 'Accepted in some states' }).click()
    await now.getByRole('group', { name: 'States for alcohol' }).getByLabel('NT').uncheck()
    await lookAt(page, 'settings-restricted-goods')

    await page.getByRole('link', { name: 'Delivery types' }).click()
    const express = page.getByRole('region', { name: 'Express' })
    await express.getByRole('combobox', { name: 'Business days until delivery' }).click()
    await page.getByRole('option', { name: 'By distance' }).click()
    await express.getByLabel('Everywhere else').fill('3')
    await lookAt(page, 'settings-days')

    await page.getByRole('link', { name: 'Stores' }).click()
    await page.getByRole('link', { name: /^Perth CBD/ }).click()
    await page.getByRole('combobox', { name: 'Public holidays' }).click()
    await page.getByRole('option', { name: 'Open on some public holidays' }).click()
    await page.getByRole('checkbox', { name: /^Boxing Day \(next:/ }).check()
    await lookAt(page, 'settings-holidays')

    await page.getByRole('link', { name: 'Bookings' }).click()
    await page.getByRole('button', { name: 'Turn off booking links' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
    const after = await documentNow()
    const { product_types } = after.carriers[0].services[0].limits
    assert.equal(product_types.tobacco, undefined)
    assert.deepEqual(product_types.alcohol, ['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'ACT'])
    assert.deepEqual(after.delivery_types.express.timing.on_day.days, {
      same_metro: 1,
      same_state: 1,
      interstate_capital: 1,
      rest: 3,
    })
    assert.deepEqual(after.stores[6].open_on_holidays, ['Boxing Day'])
    assert.equal(after.capabilities.click_and_deliver, false)

    const { status } = await api.operator('PUT /admin/accounts/demo', {
      body: { ...after, owner_grants: [] },
    })
    assert.equal(status, 200)
    await page.goto(`${pages.url}/portal/settings/restricted-goods`)
    await page
      .getByText(/^Only your implementation partner can change which restricted goods a service accepts\./)
      .waitFor()
    assert.ok(await now.getByRole('combobox', { name: 'Alcohol' }).isDisabled())
    await page.context().close()
  })
})
