import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody } from '../api.ts'
import { pallet } from '../lost-booking.ts'
import { until } from '../wait-until.ts'
import { assertAccessible, lookAt, openPages, picture, withoutBrowser } from './browser.ts'
import { pressAtOnce } from './keyboard.ts'
import { atFitzroy, chooseStore, logIn, shopDay } from './shop-day.ts'

test('a day of a store', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)

  await t.test(
    'the day on a phone shows the current time, carrier cut-offs and the days beside it',
    async () => {
      const page = await pages.visit({ width: 390, height: 844 })
      await logIn(page, 'store_clerk')
      await chooseStore(page, 'Fitzroy')
      await page.getByRole('link', { name: 'WC-10482' }).waitFor()
      const tag = page.locator('.axis .nowtag')
      await tag.waitFor()
      const middle = async (box: ReturnType<typeof tag.boundingBox>) => {
        const { x, width } = (await box) ?? { x: 0, width: 0 }
        return x + width / 2
      }
      const line = page.locator('.row .rail .nl').first()
      await until(async () => {
        const [above, below] = [await middle(tag.boundingBox()), await middle(line.boundingBox())]
        return Math.abs(above - below) < 2
      }, 'the current time is shown once')
      await page.locator('.axis .flag', { hasText: 'TODAY' }).waitFor()
      await page.locator('.days').getByText('Tuesday 24 November').waitFor()
      await picture(page, 'today-390')
      await assertAccessible(page, 'today on a phone')
      // Until the new day's rows arrive, the page shows the rows of the previous day.
      const come = page.waitForResponse((response) => response.url().includes('on_day=2026-11-25'))
      await page.getByRole('button', { name: 'Next day' }).click()
      await page.locator('.days').getByText('Wednesday 25 November').waitFor()
      await page.getByRole('heading', { name: 'Another day' }).waitFor()
      await come
      await page.locator('.row').first().waitFor()
      for (const closing of ['.axis .flag', '.over .cut', '.rail .shut', '.nowtag']) {
        assert.equal(await page.locator(closing).count(), 0, closing)
      }
      await picture(page, 'tomorrow-390')
      await assertAccessible(page, 'tomorrow on a phone')
      await page.setViewportSize({ width: 1440, height: 900 })
      await picture(page, 'tomorrow-1440')
      await page.context().close()
    },
  )

  await t.test('a row that leaves its group flashes once, stays with its new status, then goes', async () => {
    const page = await atFitzroy(pages)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const row = page.locator('.row', { hasText: 'WC-10490' })
    await row.getByText('Waiting').waitFor()
    await page.evaluate(watch('WC-10490', 'Cancelled'))
    await pages.api.call('PATCH /demo/deliveries/WC-10490/request-cancel')
    await row.waitFor({ state: 'detached' })
    const { cameMs, goneMs, flashes } = await page.evaluate<Seen>('seen')
    assert.ok(goneMs - cameMs >= 3_900, `the row stayed for ${goneMs - cameMs} ms`)
    assert.deepEqual(flashes, ['flash-odd'])
    await page.getByRole('button', { name: /^Show all \d/ }).click()
    await row.getByText('Cancelled').waitFor()
    await page.context().close()
  })

  await t.test(
    'while the list has the focus no row moves, and a button counts those that would',
    async () => {
      const body = deliveryBody({ store_reference: 'fitzroy', reference: 'WC-10491' })
      await pages.api.call('POST /demo/deliveries', { body })
      const page = await atFitzroy(pages)
      const focused = page.getByRole('link', { name: 'WC-10475' })
      await focused.focus()
      const row = page.locator('.row', { hasText: 'WC-10491' })
      await row.getByText('Waiting').waitFor()
      const before = await focused.boundingBox()
      await pages.api.call('PATCH /demo/deliveries/WC-10491/request-cancel')
      await row.getByText('Cancelled').waitFor()
      const moved = page.getByRole('button', { name: '1 change' })
      await moved.waitFor()
      assert.equal((await focused.boundingBox())?.y, before?.y)
      assert.equal(
        await page.evaluate(`getComputedStyle(document.querySelector('.flash-odd')).animationName`),
        'none',
      )
      await picture(page, 'today-moved-1440')
      await assertAccessible(page, 'today with one that moved')
      await moved.click()
      await row.waitFor({ state: 'detached' })
      await moved.waitFor({ state: 'detached' })
      await page.context().close()
    },
  )

  await t.test(
    'rows in the list of all days have the same actions and selection as rows of today',
    async () => {
      const late = await pages.api.fixture.deps.db.query(
        `update deliveries set window_from = $1, window_to = $1 where reference = 'WC-10468'`,
        ['2026-11-24T10:24:00+11:00'],
      )
      assert.equal(late.rowCount, 1)
      const page = await atFitzroy(pages)
      await pressAtOnce(page, 'g', 'd')
      const rowOf = (reference: string) => page.locator('.all-row', { hasText: reference })
      await rowOf('WC-10473')
        .locator('.judged', { hasText: /^Booked\s*$/ })
        .waitFor()
      await rowOf('WC-10468')
        .locator('.judged', { hasText: /^Late \w/ })
        .waitFor()
      await rowOf('WC-10468')
        .getByText(/^The delivery window ended (1[89]|2\d) min ago\.$/)
        .waitFor()
      await page.getByRole('checkbox', { name: 'Tick WC-10473' }).click()
      await page.getByRole('link', { name: 'WC-10475', exact: true }).focus()
      await page.keyboard.press('x')
      const dock = page.getByRole('toolbar')
      await dock.getByRole('button', { name: 'Print 3 labels for 2 deliveries' }).waitFor()
      await dock.getByRole('link', { name: 'Manifest 2 deliveries' }).waitFor()
      await lookAt(page, 'deliveries-ticked')

      await page.getByRole('checkbox', { name: 'Tick WC-10471' }).click()
      await dock
        .getByText('You can’t print labels or create manifests for any of these deliveries here.')
        .waitFor()
      assert.equal(await dock.getByRole('button', { name: /^Print/ }).count(), 0)
      await page.getByRole('checkbox', { name: 'Tick WC-10471' }).click()
      const [paper] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('p')])
      await page.getByText('Did all 3 labels for 2 deliveries print?').waitFor()
      await paper.close()
      await page.route('**/deliveries/labels', (route) => route.abort())
      await page.getByRole('button', { name: 'Print again' }).click()
      await dock.getByText('There was no response. Try again once you’re online.').waitFor()
      await page.keyboard.press('y')
      await rowOf('WC-10473').getByText(', printed ').waitFor()
      await page.keyboard.press('m')
      const put = (reference: string) =>
        page.getByRole('checkbox', { name: `Put ${reference} on the manifest` })
      await put('WC-10468').waitFor()
      for (const reference of ['WC-10473', 'WC-10475']) assert.ok(await put(reference).isChecked(), reference)
      assert.equal(await put('WC-10468').isChecked(), false)
      await page.context().close()
    },
  )

  await t.test('a carrier that closes soon has one line for all its deliveries', async () => {
    const { call, fixture } = pages.api
    const freight = {
      ...{ store_reference: 'fitzroy', reference: 'WC-10495', delivery_type: 'standard' },
      ...{ book_delivery_now: true, parcels: [pallet] },
    }
    const { json, text } = await call('POST /demo/deliveries', { body: deliveryBody(freight) })
    assert.equal(json.data?.status, 'booked', text)
    await fixture.setClock(Date.parse('2026-11-24T14:20:00+11:00'))
    const page = await atFitzroy(pages)
    const lineOf = (carrier: string) => page.locator('.row.line', { hasText: carrier })
    const southern = lineOf('Southern Parcels')
    await southern.getByText('Closing').waitFor()
    await southern.getByText(/^ROAD closes in (40|3\d) min\.$/).waitFor()
    await southern
      .getByText('2 of the 3 deliveries for Southern Parcels will wait until the next pickup day')
      .waitFor()
    await lineOf('Big Haul').getByText('To manifest').waitFor()
    assert.equal(await page.locator('.row .st', { hasText: 'Closing' }).count(), 1)
    await lookAt(page, 'today-closing')
    await southern.getByRole('link', { name: 'Manifest deliveries for Southern Parcels' }).click()
    const put = (reference: string) =>
      page.getByRole('checkbox', { name: `Put ${reference} on the manifest` })
    for (const [reference, on] of [
      ['WC-10468', true],
      ['WC-10473', true],
      ['WC-10475', true],
      ['WC-10495', false],
    ] as const) {
      await put(reference).waitFor()
      assert.equal(await put(reference).isChecked(), on, reference)
    }

    await pressAtOnce(page, 'g', 't')
    await lineOf('Big Haul').waitFor()
    const body = { store_reference: 'fitzroy', create_manifest_now: true, delivery_references: ['WC-10495'] }
    const message = lineOf('Big Haul').getByText('On a manifest').waitFor()
    await call('POST /demo/store-manifests', { body })
    await message
    await lineOf('Big Haul').waitFor({ state: 'detached' })

    // In the list of all days each row has its own line.
    await pressAtOnce(page, 'g', 'd')
    const row = page.locator('.all-row', { hasText: 'WC-10473' })
    await row.locator('.judged', { hasText: /^Closing \w/ }).waitFor()
    await row.getByText('ROAD closes in ').waitFor()
    await picture(page, 'deliveries-closing-1440')
    await row.getByRole('link', { name: 'Manifest WC-10473' }).click()
    await put('WC-10473').waitFor()
    assert.deepEqual([await put('WC-10473').isChecked(), await put('WC-10475').isChecked()], [true, false])
    await page.context().close()
  })
})

type Seen = { cameMs: number; goneMs: number; flashes: string[] }

/** Records in the page when this row got its status, when it left, and how it flashed. */
function watch(reference: string, word: string): string {
  return `{
    const textOf = (row) => row.textContent
    globalThis.seen = { cameMs: 0, goneMs: 0, flashes: [] }
    addEventListener('animationstart', ({ target, animationName }) => {
      if (textOf(target).includes('${reference}')) seen.flashes.push(animationName)
    })
    new MutationObserver(() => {
      const row = [...document.querySelectorAll('.row')].map(textOf).find((text) => text.includes('${reference}'))
      if (row?.includes('${word}')) seen.cameMs ||= performance.now()
      if (row === undefined) seen.goneMs ||= performance.now()
    }).observe(document.querySelector('.list'), { subtree: true, childList: true, characterData: true })
  }`
}
