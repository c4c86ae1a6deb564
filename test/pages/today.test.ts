import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, openPages, picture, withoutBrowser } from './browser.ts'
import { chooseStore, logIn, shopDay } from './shop-day.ts'

test('a day of a store', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)

  await t.test('the day on a phone has its now, what closes, and the days beside it', async () => {
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
    assert.ok(Math.abs((await middle(tag.boundingBox())) - (await middle(line.boundingBox()))) < 2)
    await page.locator('.axis .flag', { hasText: 'TODAY' }).waitFor()
    await page.locator('.days').getByText('Tuesday 24 November').waitFor()
    await picture(page, 'today-390')
    await assertAccessible(page, 'today on a phone')
    await page.getByRole('button', { name: 'Day after' }).click()
    await page.locator('.days').getByText('Wednesday 25 November').waitFor()
    await page.getByRole('heading', { name: 'The day' }).waitFor()
    await page.locator('.row').first().waitFor()
    for (const closing of ['.axis .flag', '.over .cut', '.rail .shut', '.nowtag']) {
      assert.equal(await page.locator(closing).count(), 0, closing)
    }
    await picture(page, 'tomorrow-390')
    await assertAccessible(page, 'tomorrow on a phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await picture(page, 'tomorrow-1440')
    await page.context().close()
  })
})
