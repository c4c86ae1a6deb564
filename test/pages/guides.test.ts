import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN } from '../people.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

test('a page of Settings opens the guide that helps with it, in a tab of its own', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, url, visit } = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const page = await visit({ path: '/portal/settings/carriers' })
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  const tab = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Real carriers' }).click()
  const guide = await tab
  assert.equal(guide.url(), `${url}/docs/guides/real-carriers#in-the-portal`)
  await guide.getByRole('heading', { name: 'Real carriers', level: 1 }).waitFor()
  // From the top: at the anchor, the page's bar covers half a heading at some widths, and the checks report that.
  await guide.goto(`${url}/docs/guides/real-carriers`)
  await inEveryLook(guide, 'guide')
  await guide.getByRole('link', { name: 'People', exact: true }).press('Enter')
  await guide.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await inEveryLook(guide, 'guide-people')
  await guide.goto(`${url}/docs/guides`)
  await inEveryLook(guide, 'guides')
})
