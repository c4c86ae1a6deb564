import { test } from 'node:test'
import { assertAccessible, openPages, picture, withoutBrowser } from './browser.ts'
import { chooseStore, logIn, shopDay } from './shop-day.ts'

/** Both sizes and both schemes; what can be seen in all is looked at in all. */
const LOOKS = [
  ['wide', { width: 1440 }],
  ['wide-dark', { width: 1440, dark: true }],
  ['phone', { width: 360, height: 800 }],
  ['phone-dark', { width: 360, height: 800, dark: true }],
] as const

test('a clerk’s pages in every look', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  for (const [look, visit] of LOOKS) {
    const page = await pages.visit(visit)
    const seen = async (name: string) => {
      await picture(page, `${name}-${look}`)
      await assertAccessible(page, `${name}, ${look}`)
    }
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
      await seen(name)
      await page.getByRole('main').getByRole('link', { name: 'Today' }).click()
    }
    await page.context().close()
  }
})
