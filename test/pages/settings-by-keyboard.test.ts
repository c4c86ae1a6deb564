import { test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { endDeliveries } from './ended-deliveries.ts'
import { byKeyboard } from './hands.ts'
import { OWNER_TASKS } from './owner-tasks.ts'
import { logIn } from './shop-day.ts'

test('with the keyboard alone, with the focus visible at every step', {
  skip: withoutBrowser(),
}, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await endDeliveries(pages)
  const page = await pages.visit({ path: '/portal/log-in' })
  await logIn(page, 'merchant_admin')
  for (const { name, run, check } of Object.values(OWNER_TASKS)) {
    await t.test(name, async () => {
      await page.goto(`${pages.url}/portal/today`)
      await run(page, byKeyboard(page))
      await check?.(pages.api)
    })
  }
})
