import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN, person } from '../people.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

test('a user sees failed logins and their sessions, and ends another session', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit } = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const wrong = { ...ADMIN, password: 'a wrong password' }
  for (let tries = 0; tries < 2; tries++) await api.call('POST /session', { body: wrong, token: null })

  const page = await visit()
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  const failed = page.getByText('2 failed logins')
  await failed.waitFor()
  await inEveryLook(page, 'failed-log-ins')
  await page.getByRole('button', { name: 'OK', exact: true }).press('Enter')
  await failed.waitFor({ state: 'detached' })
  await page.reload()

  const [phone, tablet, till] = [await person(api, ADMIN), await person(api, ADMIN), await person(api, ADMIN)]
  await page.getByRole('button', { name: 'AA, Ada Admin' }).press('Enter')
  assert.equal(await failed.count(), 0, 'the failed logins are shown once')
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByText('Chrome on Linux, this browser').or(page.getByText(', this browser')).first().waitFor()
  await inEveryLook(page, 'own-sessions')
  const ends = page.getByRole('button', { name: 'Log out: browser not recognised' })
  assert.equal(await ends.count(), 3, 'the current session has no such button')
  const rows = page.getByRole('table').getByRole('row')
  await ends.first().press('Enter')
  await rows.nth(4).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Log out everywhere else' }).press('Enter')
  await page.getByText('You’re now logged out everywhere else.').waitFor()
  await rows.nth(2).waitFor({ state: 'detached' })
  for (const other of [phone, tablet, till]) assert.equal((await other.call('GET /session')).status, 401)
  assert.equal(await rows.count(), 2, 'only the header and the current session are left')
})
