import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, openPages, picture, withoutBrowser } from './browser.ts'
import { logIn, shopDay } from './shop-day.ts'

test('a clerk’s morning', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t)
  await shopDay(pages)
  for (const [name, visit] of [
    ['today-light', { width: 1440 }],
    ['today-dark', { width: 1440, dark: true }],
    ['today-phone', { width: 360, height: 800 }],
    ['today-phone-dark', { width: 360, height: 800, dark: true }],
  ] as const) {
    const page = await pages.visit(visit)
    await page.getByRole('heading', { name: 'Drover' }).waitFor()
    await picture(page, `log-in-${name}`)
    await assertAccessible(page, 'log-in')
    await logIn(page, 'store_clerk')
    if (await page.getByRole('button', { name: /^Store:/ }).isVisible()) {
      await page.getByRole('button', { name: /^Store:/ }).click()
      await page.getByRole('menuitem', { name: 'Fitzroy' }).click()
    }
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    await picture(page, name)
    await assertAccessible(page, name)
    await page.context().close()
  }
  assert.ok(true)
})
