import { test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { endDeliveries } from './ended-deliveries.ts'
import { byTouch } from './hands.ts'
import { OWNER_TASKS, type OwnerTask } from './owner-tasks.ts'
import { logIn } from './shop-day.ts'

test('with a finger on a phone', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await endDeliveries(pages)
  const page = await pages.visit({ path: '/portal/log-in', width: 390, height: 844, touch: true })
  await logIn(page, 'merchant_admin')
  for (const { name, run, check } of Object.values<OwnerTask>(OWNER_TASKS)) {
    await t.test(name, async () => {
      await page.goto(`${pages.url}/portal/today`)
      await run(page, byTouch(page))
      await check?.(pages.api)
    })
  }
})
