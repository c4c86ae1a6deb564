import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { endDeliveries } from './ended-deliveries.ts'
import { byKeyboard } from './hands.ts'
import { tabOnto } from './keyboard.ts'
import { OWNER_TASKS, type OwnerTask } from './owner-tasks.ts'
import { logIn } from './shop-day.ts'

test('with the keyboard alone, with the focus visible at every step', {
  skip: withoutBrowser(),
}, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await endDeliveries(pages)
  const page = await pages.visit({ path: '/portal/log-in' })
  await logIn(page, 'merchant_admin')
  for (const { name, run, check } of Object.values<OwnerTask>(OWNER_TASKS)) {
    await t.test(name, async () => {
      await page.goto(`${pages.url}/portal/today`)
      await run(page, byKeyboard(page))
      await check?.(pages.api)
    })
  }

  await t.test('the focus is never lost: dialogs, removed rows, undone changes', async () => {
    const focused = page.locator(':focus')
    const use = async (target: Locator) => {
      await tabOnto(page, target)
      await page.keyboard.press('Enter')
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`${pages.url}/portal/account/users`)
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to main content' }).and(focused).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.getByRole('navigation', { name: 'Account' }).locator('a').first().and(focused).waitFor()

    await page.goto(`${pages.url}/portal/settings/stores`)
    await use(button('Add a store'))
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').and(focused).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button('Add a store').and(focused).waitFor()

    await use(page.getByRole('link', { name: /^Fitzroy/ }))
    await page.getByRole('heading', { name: 'Fitzroy', level: 1 }).and(focused).waitFor()
    await page.goto(`${pages.url}/portal/settings/stores/fitzroy#closures`)
    await button('Add closed days').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Closure 2' }).waitFor()
    const remove = button('Remove closure 2')
    await remove.focus()
    await page.keyboard.press('Enter')
    await remove.waitFor({ state: 'detached' })
    await button('Add closed days').and(focused).waitFor()
    await use(button('Undo all'))
    await page.getByRole('heading', { name: 'Fitzroy', level: 1 }).and(focused).waitFor()

    await page.getByLabel('Printer').focus()
    await page.keyboard.type('Zebra')
    await use(page.getByRole('button', { name: 'Review' }))
    await page.getByText('Labels at Fitzroy print on Zebra.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Review' }).and(focused).waitFor()
    await page.keyboard.press('Enter')
    await button('Apply').waitFor()
    // Escape and Enter at once: the end of the first dialog does not close the second.
    await page.evaluate(ESCAPE_AND_REVIEW)
    await page.waitForLoadState('networkidle')
    await use(button('Apply'))
    await page.getByText('Applied.').and(focused).waitFor()
    await use(button('Undo'))
    await page.getByRole('heading', { name: 'Fitzroy', level: 1 }).and(focused).waitFor()

    await page.goto(`${pages.url}/portal/account/users`)
    await use(page.getByRole('button', { name: /^Change / }).first())
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Change / })
      .first()
      .and(focused)
      .waitFor()
  })
})

/** On a machine so busy that timers, after which React shows a result, come late. */
const ESCAPE_AND_REVIEW = `{
  const { setTimeout: start } = globalThis
  globalThis.setTimeout = (work, ms = 0) => start(work, Math.max(ms, 100))
  start(() => (globalThis.setTimeout = start), 1_000)
  document.querySelector('dialog').requestClose()
  document.querySelector('.save-bar button.next').click()
}`
