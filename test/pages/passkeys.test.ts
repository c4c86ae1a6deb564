import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN } from '../people.ts'
import { attachAuthenticator } from './authenticator.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

async function logInByPassword(page: Page) {
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'AA, Ada Admin' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}

test('a passkey is added, logs its user in with one press, is renamed and removed', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit } = await openPages(t, { work: false, atOwnAddress: true }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const page = await visit({ path: '/portal/log-in' })
  const authenticator = await attachAuthenticator(page)
  await inEveryLook(page, 'passkey-log-in')
  await logInByPassword(page)
  const own = page.getByRole('region', { name: 'Passkeys' })
  await own.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Ada’s laptop')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('not this one')
  await page.keyboard.press('Enter')
  await dialog.getByText('The password is wrong.').waitFor()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  const row = own.getByRole('row', { name: /Ada’s laptop/ })
  await row.getByText('Not yet').waitFor()
  await inEveryLook(page, 'passkeys')

  await own.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('Again')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await dialog.getByText('This device already has a passkey for you.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await logOut(page)
  await authenticator.verify(false)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('No passkey was used. Try again, or log in with your password.').waitFor()
  await authenticator.verify(true)
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter')
  await row.waitFor()
  assert.equal(await row.getByText('Not yet').count(), 0)

  await row.getByRole('button', { name: 'Rename Ada’s laptop' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('Counter')
  await page.keyboard.press('Enter')
  const renamed = own.getByRole('row', { name: /Counter/ })
  await renamed.getByRole('button', { name: 'Remove Counter' }).press('Enter')
  const asked = page.getByRole('dialog', { name: 'Remove Counter?' })
  await asked.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await renamed.waitFor({ state: 'detached' })
  await logOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('We don’t know this passkey, or you took longer than five minutes.').waitFor()
})

test('an admin who needs a second factor adds a passkey, and then the password alone is not enough', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit } = await openPages(t, { work: false, atOwnAddress: true }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const body = { ...document, people: { second_factor: 'admins' } }
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body })).status, 200)
  const page = await visit({ path: '/portal/log-in' })
  await attachAuthenticator(page)
  await logInByPassword(page)
  await page.getByRole('button', { name: 'Add a passkey instead' }).click()
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor()
  await inEveryLook(page, 'passkey-first')
  await page.getByLabel('Name').fill('Phone')
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Phone/ }).waitFor()
  await logOut(page)
  await logInByPassword(page)
  await page.getByText('Your account needs more than a password. Log in with your passkey.').waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('row', { name: /Phone/ }).waitFor()
})
