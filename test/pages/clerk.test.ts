import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { recordWaiting } from '../../src/store/manifests/change-manifest.ts'
import { findManifest } from '../../src/store/manifests/manifests.ts'
import { type Api, deliveryBody, parcel } from '../api.ts'
import { pallet } from '../lost-booking.ts'
import { until } from '../wait-until.ts'
import { assertAccessible, lookAt, openPages, picture, withoutBrowser } from './browser.ts'
import { pressAtOnce } from './keyboard.ts'
import { atFitzroy, chooseStore, logIn, shopDay } from './shop-day.ts'

test('a store’s pages', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  const enter = () => atFitzroy(pages)

  await t.test('the pages pass the accessibility checks', async () => {
    const page = await pages.visit()
    const seen = (name: string) => lookAt(page, name)
    await page.getByRole('heading', { name: 'Drover' }).waitFor()
    await seen('log-in')
    await logIn(page, 'store_clerk')
    await chooseStore(page, 'Fitzroy')
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    await seen('today')
    for (const [name, reference] of [
      ['delivery-booked', 'WC-10468'],
      ['delivery-held', 'WC-10471-lost-answer'],
    ] as const) {
      await page.getByRole('link', { name: reference, exact: true }).click()
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
      await page.getByRole('heading', { name: /^Why/ }).waitFor()
      await page.locator('.map svg').waitFor()
      if (reference === 'WC-10468') {
        await page.getByText('Cordless table lamp').waitFor()
        await page.getByText(/^Settings version \d+$/).waitFor()
        await page
          .getByText('Charged for 2.97 kg by volume (30 × 22 × 18 cm; the parcel weighs 2.4 kg)')
          .waitFor()
        await page.getByRole('button', { name: 'Check prices again' }).click()
        await page.getByText('Still AIR, at the same price. We haven’t changed the delivery.').waitFor()
      }
      await seen(name)
      await page.getByRole('main').getByRole('link', { name: 'Today' }).click()
    }
    for (const [name, path, there] of [
      ['deliveries', '/portal/deliveries', 'WC-10482'],
      ['manifest', '/portal/manifest', 'WC-10468'],
      ['manifests', '/portal/manifests', 'No manifests yet.'],
      ['couriers', '/portal/couriers', 'Sam Okafor'],
      ['links', '/portal/links', 'No links yet.'],
      ['new', '/portal/new', 'Delivery options'],
    ] as const) {
      await page.goto(pages.url + path)
      await page.getByText(there).first().waitFor()
      await seen(name)
    }
    await page.context().close()
  })

  await t.test('a morning with the keyboard alone: print, manifest', async () => {
    const page = await enter()
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    await walkTo(page, 'WC-10473')
    await press('x')
    await walkTo(page, 'WC-10475')
    await press('x')
    const asked: string[][] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/labels')) asked.push(JSON.parse(request.postData() ?? '{}').delivery_ids)
    })
    const ids = async (...references: string[]) =>
      Promise.all(
        references.map(async (one) => (await pages.api.call(`GET /demo/deliveries/${one}`)).json.data.id),
      )
    await page.getByRole('button', { name: 'By suburb' }).press('Enter')
    const [paper] = await Promise.all([page.context().waitForEvent('page'), press('p')])
    await page.getByText('Did all 3 labels for 2 deliveries print?').waitFor()
    await paper.close()
    assert.deepEqual(asked.at(-1), await ids('WC-10475', 'WC-10473'), 'Bendigo before Footscray')
    await press('y')
    await page.locator('.row', { hasText: 'WC-10473' }).getByText('Printed').waitFor({ state: 'attached' })

    // A printed label is skipped if it is selected with others, unless the clerk wants it.
    await walkTo(page, 'WC-10468')
    await press('x')
    await page.getByRole('button', { name: 'Print 1 label' }).waitFor()
    await lookAt(page, 'today-dock')
    await page.getByRole('checkbox', { name: 'Skip the 2 deliveries with labels already printed' }).uncheck()
    await page.getByRole('button', { name: 'Print 4 labels for 3 deliveries' }).waitFor()
    await walkTo(page, 'WC-10468')
    await press('x')

    // M manifests the selected rows, like the toolbar; on a delivery's page, that delivery; otherwise the whole day.
    const isOn = (reference: string) =>
      page.getByRole('checkbox', { name: `Put ${reference} on the manifest` }).isChecked()
    const on = async (...references: string[]) => {
      await page.getByRole('heading', { name: 'Manifest today’s deliveries' }).waitFor()
      await page.getByRole('checkbox', { name: 'Put WC-10468 on the manifest' }).waitFor()
      for (const one of ['WC-10468', 'WC-10473', 'WC-10475']) {
        assert.equal(await isOn(one), references.includes(one), one)
      }
    }
    await press('m')
    await on('WC-10473', 'WC-10475')
    await page.getByRole('main').getByRole('link', { name: 'WC-10475' }).click()
    await page.getByRole('link', { name: /^Add to manifest/ }).waitFor()
    await press('m')
    await on('WC-10475')
    await pressAtOnce(page, 'g', 't')
    await page.waitForURL(/\/portal\/today/)
    await page.locator('.row', { hasText: 'WC-10473' }).getByText('Printed').waitFor({ state: 'attached' })
    await press('m')
    await on('WC-10468', 'WC-10473', 'WC-10475')
    await page.getByRole('button', { name: 'Submit 2 manifests' }).waitFor()
    await press('Control+Enter')
    await page.getByText('Submitted').nth(1).waitFor()
    const summaries = page.getByRole('link', { name: 'Print the summary' })
    await until(async () => (await summaries.count()) === 2, 'each manifest has a summary')
    await lookAt(page, 'manifest-submitted')
    const { json } = await pages.api.call('GET /demo/deliveries/WC-10473')
    assert.equal(json.data.manifest_status, 'manifested')
    await page.context().close()
  })

  await t.test('the second of two clerks manifests the rest, and each manifest is followed up', async () => {
    const { call } = pages.api
    const [freight, down, taken] = ['WC-60001-lost-answer-manifest', 'WC-60002-down-manifest', 'WC-60003']
    const [later, gone] = ['WC-60004', 'WC-60005']
    for (const reference of [freight, down, taken, later, gone]) {
      const parcels = [reference === freight ? pallet : parcel]
      const { json, text } = await call('POST /demo/deliveries', {
        body: deliveryBody({
          ...{ store_reference: 'fitzroy', reference, delivery_type: 'standard', book_delivery_now: true },
          parcels,
        }),
      })
      assert.equal(json.data?.status, 'booked', text)
    }
    const otherClerk = async (reference: string) => {
      const body = { store_reference: 'fitzroy', create_manifest_now: true }
      const { json } = await call('POST /demo/store-manifests', {
        body: { ...body, delivery_references: [reference] },
      })
      return json.data[0].external_ref.order_id
    }
    const page = await enter()
    const line = page.locator('.row.line', { hasText: 'Southern Parcels' })
    await line.getByText('4 parcels').waitFor()
    await otherClerk(gone)
    await line.getByText('3 parcels').waitFor()

    await page.keyboard.press('m')
    const onPaper = (reference: string) =>
      page.getByRole('checkbox', { name: `Put ${reference} on the manifest` })
    for (const reference of [freight, down, taken]) await onPaper(reference).waitFor()
    await onPaper(later).uncheck()
    let theirs = ''
    await page.route(
      '**/demo/store-manifests',
      async (route) => {
        theirs = await otherClerk(taken)
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Submit 2 manifests' }).click()
    const overtaken = page.locator('.overtaken')
    await overtaken.getByText('One delivery was already on a manifest.').waitFor()
    await overtaken.getByText(`${taken} is on manifest ${theirs} for Southern Parcels, created 10:`).waitFor()
    await overtaken.getByText('The other 2 deliveries are on the manifest for ').waitFor()
    const cardOf = (carrier: string) => page.locator('.made li', { hasText: carrier })
    const southern = cardOf('Southern Parcels')
    await southern.getByText('Being submitted').waitFor()
    await southern.getByText('We couldn’t reach Southern Parcels').waitFor()
    await cardOf('Big Haul').getByText('Ask Big Haul whether they have it').waitFor()
    assert.equal(await onPaper(freight).count(), 0, 'a delivery on a manifest is not offered')
    await lookAt(page, 'manifest-overtaken')

    await nobodyKnows(pages.api, 'Southern Parcels')
    await southern.getByText('On hold').waitFor()
    await southern.getByRole('button', { name: /^Record answer/ }).click()
    await lookAt(page, 'settle-manifest')
    await page.getByRole('button', { name: 'They don’t' }).click()
    await southern.getByText('You can put its deliveries on another manifest').waitFor()
    await onPaper(down).uncheck()
    await onPaper(later).check()
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await cardOf('Draft').waitFor()
    const drafts = (await manifests(pages.api)).filter(({ status }) => status === 'draft')
    await call(`POST /demo/manifests/${drafts[0]?.id}/submit`)
    await cardOf('Submitted').getByRole('link', { name: 'Print the summary' }).waitFor()

    await page.goto(`${pages.url}/portal/manifests`)
    const row = page.locator('tr', { hasText: 'Big Haul' })
    await row.getByText('On hold').waitFor()
    await lookAt(page, 'manifests-on-hold')
    await row.getByRole('button', { name: /^Record answer/ }).click()
    await page.getByLabel('Carrier’s order number').fill('BHM-77')
    await page.getByRole('button', { name: 'They have it' }).click()
    await row.getByText('BHM-77').waitFor()
    await row.getByText('Submitted').waitFor()
    assert.equal((await call(`GET /demo/deliveries/${freight}`)).json.data.manifest_status, 'manifested')

    // The carrier refused the manifest and its parcel is cancelled: it can only be discarded.
    await call(`PATCH /demo/deliveries/${down}/request-cancel`, { body: { reason: 'Not wanted.' } })
    await page.reload()
    const refused = page.locator('tr', { hasText: 'Refused' })
    await refused.getByText(`${down} can no longer go on this manifest.`).waitFor()
    const submit = refused.getByRole('button', { name: /^Submit/ })
    assert.equal(await submit.getAttribute('aria-disabled'), 'true')
    await lookAt(page, 'manifests-refused')
    await refused.getByRole('button', { name: /^Discard/ }).click()
    await lookAt(page, 'discard-manifest')
    await page.getByRole('button', { name: 'Discard it' }).click()
    const discarded = page.locator('tr', { hasText: 'Discarded' })
    await discarded.waitFor()
    assert.equal(await discarded.getByRole('button').count(), 0, 'a discarded manifest has no buttons')
    await page.context().close()
  })

  await t.test('a scanned label opens its delivery, even if its letters are keyboard shortcuts', async () => {
    const page = await enter()
    const { json } = await pages.api.call('GET /demo/deliveries/WC-10473')
    const [article] = json.data.parcels[0].article_ids
    await scan(page, `420301191${article}`)
    await page.getByRole('heading', { name: 'WC-10473' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('wc-10468')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'WC-10468' }).waitFor()
    await scan(page, 'NOBODY-HAS-THIS')
    await page.getByText('No deliveries match “NOBODY-HAS-THIS”.').waitFor()
    await page.context().close()
  })

  await t.test('Back returns to the delivery’s row, and R reassigns it from there', async () => {
    const { call } = pages.api
    const made = await call('POST /demo/deliveries', {
      body: deliveryBody({ store_reference: 'fitzroy', reference: 'WC-10500', book_delivery_now: true }),
    })
    assert.equal(made.json.data?.status, 'booked', made.text)
    const page = await enter()
    const press = (key: string) => page.keyboard.press(key)
    const isOn = (row: string) => page.locator('[data-id]:focus-within', { hasText: row }).waitFor()
    const open = async (row: string) => {
      await page.getByRole('link', { name: row, exact: true }).focus()
      await press('Enter')
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
    }
    const ask = async (row: string, dialog: string, no: string) => {
      await press('r')
      await page.getByRole('dialog', { name: dialog }).getByRole('button', { name: no }).click()
      await isOn(row)
    }
    await page.goto(`${pages.url}/portal/today?carrier=Swiftly`)
    await open('WC-10482')
    await press('Escape')
    await isOn('WC-10482')
    assert.match(page.url(), /\/today\?carrier=Swiftly$/)
    await press('r')
    const kept = page.getByRole('dialog', { name: 'Give WC-10482 to another carrier?' })
    await kept.getByText('No other carrier can take this delivery now, so Swiftly will keep it.').waitFor()
    await kept.getByText('ROAD: Not the requested delivery type.').waitFor()
    const give = kept.getByRole('button', { name: 'Change carrier' })
    assert.equal(await give.getAttribute('aria-disabled'), 'true')
    await kept.getByRole('button', { name: 'Keep it' }).click()
    await isOn('WC-10482')

    await page.getByRole('link', { name: 'WC-10500' }).focus()
    await press('r')
    const dialog = page.getByRole('dialog', { name: 'Give WC-10500 to another carrier?' })
    const first = dialog.locator('.others .first')
    await first.getByText('first choice').waitFor()
    const options = (await call('GET /demo/deliveries/WC-10500/options?exclude_current_carrier=true')).json
      .data
    const [best] = options.explanation.services
    await first.getByText(best.service, { exact: true }).waitFor()
    const more = best.price_cents - made.json.data.service_quote.price_cents
    assert.ok(more > 0)
    await first.getByText(`+ $${(more / 100).toFixed(2)}`).waitFor()
    await dialog.getByText('current carrier').waitFor()
    await dialog.getByText('Mia Tran').waitFor()
    await dialog.getByText('hasn’t used the app yet').first().waitFor()
    await lookAt(page, 'reassign')
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await isOn('WC-10500')

    await page.goto(`${pages.url}/portal/deliveries`)
    await open('WC-10459-late-events')
    await page
      .locator('.tl .mark', { hasText: /^received .+ later$/ })
      .first()
      .waitFor()
    assert.equal(await page.getByText('delivery.carrier_update').count(), 0)
    await page.getByText(/^\d+ carrier updates, as received$/).click()
    await page.locator('.raw .said').first().waitFor()
    await picture(page, 'delivery-late-news')
    await assertAccessible(page, 'delivery-late-news')

    await page.goto(`${pages.url}/portal/deliveries?status=requested`)
    await open('WC-10490')
    await press('e')
    await page.getByRole('button', { name: 'Keep the delivery as it is' }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await press('Escape')
    await isOn('WC-10490')
    assert.match(page.url(), /\/deliveries\?status=requested$/)
    await ask('WC-10490', 'Who will take WC-10490?', 'Not now')
    await page.context().close()
  })

  await t.test('a clerk moves a delivery whose carrier confirmed its release by phone only', async () => {
    const { call, fixture } = pages.api
    const reference = 'WC-10501'
    const made = await call('POST /demo/deliveries', {
      body: deliveryBody({ store_reference: 'fitzroy', reference, book_delivery_now: true }),
    })
    const holder = made.json.data.carrier_provider
    const { provider } = fixture.demo().account.carriers.find(({ name }) => name === holder)!
    const carrier = fixture.deps.carrierOf(fixture.demo(), provider)!
    const cancel = carrier.cancel!
    carrier.cancel = async () => ({ kind: 'unknown', message: 'No answer.' })
    const page = await enter()
    await page.goto(`${pages.url}/portal/deliveries/${reference}`)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: `Give ${reference} to another carrier?` })
    await dialog.getByRole('button', { name: 'Change carrier' }).click()
    const released = dialog.getByRole('checkbox', { name: /has told me that they don’t have this delivery$/ })
    await released.check()
    await lookAt(page, 'reassign-by-phone')
    await dialog.getByRole('button', { name: 'Change carrier' }).click()
    await dialog.waitFor({ state: 'detached' })
    carrier.cancel = cancel
    const moved = (await call(`GET /demo/deliveries/${reference}`)).json.data
    assert.equal(moved.status, 'booked')
    assert.notEqual(moved.carrier_provider, holder)
    await page.context().close()
  })

  await t.test('a clerk resolves a booking with an unknown outcome', async () => {
    const page = await enter()
    await page.getByRole('link', { name: 'Resolve, WC-10471-lost-answer' }).click()
    await page.getByRole('button', { name: 'Record answer' }).click()
    await page.getByLabel('Carrier’s consignment number').fill('BH-77')
    await lookAt(page, 'settle')
    await page.getByRole('button', { name: 'They have it' }).click()
    await page.getByText('Booked, consignment BH-77').waitFor()
    // The history no longer contains the actions.
    await page
      .locator('.reason')
      .getByText('Big Haul already has this delivery (consignment BH-77)')
      .waitFor()
    const amend = page.getByRole('button', { name: 'Amend' })
    assert.equal(await amend.getAttribute('aria-disabled'), 'true')
    const why = await amend.getAttribute('aria-describedby')
    assert.match(
      (await page.locator(`#${why}`).textContent()) ?? '',
      /Big Haul already has this delivery \(consignment BH-77\)/,
    )
    await page.context().close()
  })

  await t.test('a cancellation stays pending until the booking is resolved', async () => {
    const reference = 'WC-20471-lost-answer'
    const { json, text } = await pages.api.call('POST /demo/deliveries', {
      body: deliveryBody({
        ...{ store_reference: 'fitzroy', reference, delivery_type: 'standard', book_delivery_now: true },
        parcels: [pallet],
      }),
    })
    assert.equal(json.data?.status, 'on_hold', text)
    const page = await enter()
    const open = () => page.getByRole('link', { name: `Resolve, ${reference}` }).click()
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
    await open()
    await cancel.click()
    await page.getByText('We don’t know yet whether a carrier has this delivery').waitFor()
    await page.getByLabel('Reason').fill('Bought elsewhere.')
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await page.getByText(`A carrier may have a booking for delivery ${reference}`).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Reason: “Bought elsewhere”. We’ll cancel the delivery once we know').waitFor()
    assert.equal(await cancel.getAttribute('aria-disabled'), 'true')
    await page.locator('.map svg').waitFor()
    await lookAt(page, 'delivery-to-be-cancelled')
    await page.getByRole('main').getByRole('link', { name: 'Today' }).click()
    await page.locator('.row', { hasText: reference }).getByText('To be cancelled').waitFor()
    await open()
    await page.getByRole('button', { name: 'Record answer' }).click()
    await page.getByRole('button', { name: 'No, cancel it' }).click()
    await page.getByText('Cancelled: The carrier’s staff said that they do not have the booking.').waitFor()
    await page.context().close()
  })

  await t.test('a clerk creates a delivery: options while typing, errors by field', async () => {
    const page = await enter()
    await page.keyboard.press('n')
    await page.getByLabel('Order number', { exact: true }).fill('WC-20001')
    await page.getByRole('combobox', { name: 'Suburb' }).fill('Brunswick E')
    await page.getByRole('option', { name: 'Brunswick East VIC 3057' }).click()
    const postcode = page.getByLabel('Postcode')
    await until(
      async () => (await postcode.inputValue()) === '3057',
      'choosing a suburb fills in its postcode',
    )
    for (const [label, value] of [
      ['Length, cm', '30'],
      ['Width, cm', '20'],
      ['Height, cm', '15'],
      ['Weight, kg', '2.5'],
    ] as const) {
      await page.getByLabel(label).fill(value)
    }
    await page.getByRole('radio', { name: 'TODAY', exact: true }).waitFor()
    await picture(page, 'new-options')
    await page.getByLabel('Weight, kg').fill('')
    await page.getByRole('button', { name: /^Create delivery/ }).click()
    await page.getByRole('alert').getByText('problems to fix').waitFor()
    await page.getByRole('alert').getByText('Weight of parcel 1 is required.').waitFor()
    await page.locator('.parcel-row .field-error').getByText('Is required.').waitFor()
    await lookAt(page, 'new-mistakes')
    for (const [label, value] of [
      ['First name', '<img src=x onerror=alert(1)>'],
      ['Last name', 'Nguyen'],
      ['Phone', '0491 570 156'],
      ['Email', 'ada@example.com'],
      ['Street address', '12 Lygon Street'],
      ['Weight, kg', '2.5'],
    ] as const) {
      await page.getByLabel(label).fill(value)
    }
    await page.getByLabel('Order number', { exact: true }).fill('WC-10482')
    await page.getByRole('button', { name: /^Create delivery/ }).click()
    await page.getByRole('heading', { name: 'The delivery hasn’t been created.' }).waitFor()
    await page.getByLabel('Order number', { exact: true }).fill('WC-20001')
    await page.getByRole('button', { name: /^Create delivery/ }).click()
    await page.getByRole('heading', { name: 'WC-20001' }).waitFor()
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()
    await page.context().close()
  })

  await t.test('a customer pickup is marked as one, and parcels show their description', async () => {
    const { status, text } = await pages.api.call('POST /demo/deliveries', {
      body: deliveryBody({
        store_reference: 'fitzroy',
        reference: 'WC-30001',
        delivery_mode: 'customer_pickup',
        ready_for_pickup_at: '2026-11-24T15:00:00',
        parcels: [{ ...parcel, description: 'Lamp to be mended' }],
      }),
    })
    assert.equal(status, 201, text)
    const page = await enter()
    const row = page.locator('.row', { hasText: 'WC-30001' })
    await row.getByText('from Carlton').waitFor()
    await row.getByRole('link', { name: 'WC-30001' }).click()
    await page.getByText('Pickup from the customer for delivery to Fitzroy.').waitFor()
    await page.getByText('Lamp to be mended').waitFor()
    await page.context().close()
  })

  await t.test('a reassignment shows its time and its target until the carrier answers', async () => {
    const { fixture } = pages.api
    const asked = await fixture.deps.db.query(
      `update deliveries set cancel_requested_at = to_timestamp($1 / 1000.0), replan_requested = true, due_at = null,
         cancel_reason = 'The van is full.' where reference = 'WC-10482'`,
      [fixture.demo().nowMs()],
    )
    assert.equal(asked.rowCount, 1)
    const page = await enter()
    await page.locator('.row', { hasText: 'WC-10482' }).getByText('Cancelling').waitFor()
    await page.getByRole('link', { name: 'WC-10482' }).click()
    await page.getByText('so that we can book another carrier').waitFor()
    await page.getByText('Reason: “The van is full”. Swiftly hasn’t answered').waitFor()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.locator('.map svg').waitFor()
    await lookAt(page, 'delivery-asked-back')
    await page.context().close()
  })

  await t.test(
    'a delivery on hold is amended with its new window shown, then assigned to a store courier',
    async () => {
      const page = await enter()
      await page.getByRole('link', { name: 'WC-10490' }).focus()
      await page.keyboard.press('e')
      await page.getByRole('heading', { name: 'Amend WC-10490' }).waitFor()
      await page.getByText(/^Before this change: about Wed 25, 2 – 8 pm/).waitFor()
      await page.getByRole('radio', { name: 'ROAD', exact: true }).waitFor()
      await lookAt(page, 'amend')
      await page.getByLabel('Weight, kg').fill('')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'Your changes haven’t been saved.' }).waitFor()
      await page.getByRole('alert').getByText('Weight of parcel 1 is required.').waitFor()
      await page.getByLabel('Weight, kg').fill('2.4')
      await page.getByLabel('Instructions').fill('Ring twice.')
      await page.getByLabel('Unit or level').fill('Unit 3')
      const before = (await pages.api.call('GET /demo/deliveries/WC-10490')).json.data
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
      await page.getByText('Ring twice.').first().waitFor()
      const after = (await pages.api.call('GET /demo/deliveries/WC-10490')).json.data
      assert.deepEqual(after.address, { ...before.address, address2: 'Unit 3' })
      assert.deepEqual([after.customer, after.parcels], [before.customer, before.parcels])

      await page.keyboard.press('r')
      await page.getByRole('button', { name: /^Mia Tran/ }).click()
      await page.getByText('Why your own courier was chosen').waitFor()
      const { json } = await pages.api.call('GET /demo/deliveries/WC-10490')
      assert.equal(json.data.staff_courier.driver_name, 'Mia Tran')
      await page.context().close()
    },
  )

  await t.test('customers’ input is shown as text, even if it looks like markup', async () => {
    const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u2028{{7*7}} javascript:alert(1)'
    const line = hostile.replace('\u2028', ' ')
    const { status, text } = await pages.api.call('POST /demo/deliveries', {
      body: {
        store_reference: 'fitzroy',
        reference: line.slice(0, 100),
        ready_for_pickup_at: '2026-11-24T16:00:00',
        address: {
          address: line,
          address2: line,
          company_name: line,
          city: line,
          state: 'VIC',
          post_code: '3053',
          country: 'AU',
        },
        customer: { first_name: line, last_name: line, phone: '0491 570 156', email: 'ada@example.com' },
        special_instructions: hostile,
        pickup_instructions: hostile,
        line_items: [
          { code: line, name: line, price_cents: 1, quantity: 1, packing_instructions: `Upright: ${line}` },
        ],
        parcels: [
          {
            reference: line,
            description: line,
            length_cm: 1,
            width_cm: 1,
            height_cm: 1,
            weight_kg: 1,
            quantity: 1,
          },
        ],
      },
    })
    assert.equal(status, 201, text)
    const page = await enter()
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs++
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: line.slice(0, 100), exact: true }).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByText(line).first().waitFor()
    await page.getByText(`Upright: ${line}`, { exact: true }).waitFor()
    await page.goto(`${pages.url}/portal/deliveries?q=${encodeURIComponent('<script>alert(1)')}`)
    await page.locator('.all-row').first().waitFor()
    assert.equal(await page.locator('main script, main img').count(), 0)
    assert.equal(dialogs, 0)
    await page.context().close()
  })

  await t.test('updates appear without a reload, and a search finds a suburb', async () => {
    const page = await enter()
    await page.locator('.row', { hasText: 'WC-30001' }).getByText('Waiting').waitFor()
    await pages.api.call('PATCH /demo/deliveries/WC-30001/request-cancel')
    await page.locator('.row', { hasText: 'WC-30001' }).waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('sandring')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '“sandring”' }).waitFor()
    await page.getByRole('link', { name: 'WC-10468' }).waitFor()
    assert.equal(await page.locator('.all-row').count(), 1)
    await page.getByRole('button', { name: /Cleo Clerk/ }).click()
    await page.route('**/session', (route) => route.abort())
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('menu').getByRole('alert').waitFor()
    await page.unroute('**/session')
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await page.context().close()
  })
})

type Told = { id: string; status: string; carrier_provider: string }

async function manifests({ call }: Api): Promise<Told[]> {
  return (await call('GET /demo/manifests?store_reference=fitzroy')).json.data
}

/** Puts the delivery on hold for a clerk, as after hours without a response from this carrier. */
async function nobodyKnows(api: Api, carrier: string): Promise<void> {
  const { db } = api.fixture.deps
  const asked = (one: Told) => one.status === 'submitting' && one.carrier_provider === carrier
  const manifestId = (await manifests(api)).find(asked)?.id ?? ''
  const message = { reason: `${carrier} could not say.`, submissionState: 'unknown', dueAtMs: null } as const
  await until(async () => {
    const row = await findManifest(db, 'demo', manifestId)
    const mine = { accountId: 'demo', manifestId, fence: row?.fence ?? 0, nowMs: api.fixture.demo().nowMs() }
    return recordWaiting(db, { ...mine, state: 'submitting' }, { ...message, state: 'on_hold' })
  }, 'no worker holds the delivery')
}

/** Types like a scanner: faster than any person, and Enter at the end. */
async function scan(page: Page, code: string): Promise<void> {
  await page.evaluate(`for (const key of [...${JSON.stringify(code)}, 'Enter'])
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
}

/** Presses J until this row has the focus, at most once for each row. */
async function walkTo(page: Page, reference: string): Promise<void> {
  for (let steps = 0; steps < 40; steps++) {
    const row = `document.activeElement?.closest('[data-id]')`
    const at = await page.evaluate<string>(`${row}?.textContent ?? ''`)
    if (at.includes(reference)) return
    // The row's text may change meanwhile.
    const id = () => page.evaluate<string | null>(`${row}?.dataset.id ?? null`)
    const before = await id()
    await page.keyboard.press('j')
    await until(async () => (await id()) !== before, 'the focus moves')
  }
  assert.fail(`J never reaches ${reference}`)
}
