import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, openPages, withoutBrowser } from './browser.ts'

test('a page starts in a browser under the strict policy, light and dark', {
  skip: withoutBrowser(),
}, async (t) => {
  const { visit } = await openPages(t, { work: false })
  for (const dark of [false, true]) {
    const page = await visit({ dark })
    await page.locator('#root > *').first().waitFor()
    assert.equal(
      await page.evaluate('document.documentElement.dataset.mantineColorScheme'),
      dark ? 'dark' : 'light',
    )
    await assertAccessible(page, `portal, ${dark ? 'dark' : 'light'}`)
  }
})
