import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { CLERK, person } from '../people.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

const NEW = 'nine lamps by the river'

test('a clerk changes their own name and password by keyboard alone', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit } = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const phone = await person(api, CLERK)
  const page = await visit()
  await page.getByLabel('Email').fill(CLERK.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(CLERK.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^CC, / }).press('Enter')
  await page.getByRole('menuitem', { name: 'Your account' }).press('Enter')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()

  await page.getByLabel('Your name').fill('Chloë Nguyen')
  await page.keyboard.press('Enter')
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'CN, Chloë Nguyen' }).waitFor()
  await inEveryLook(page, 'your-account')

  await page.getByRole('button', { name: 'Change password' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change your password' })
  const [old, fresh] = ['Current password', 'New password'].map((name) =>
    dialog.getByRole('textbox', { name }),
  )
  assert.ok(old && fresh)
  const send = async (from: string, to: string) => {
    await old.fill(from)
    await fresh.fill(to)
    await page.keyboard.press('Enter')
  }
  await send(CLERK.password, 'password123')
  await dialog.getByRole('alert').getByText('This password is too easy to guess.').waitFor()
  await page.locator('input[aria-invalid=true]').and(fresh).waitFor()
  await lookAt(page, 'your-account-password')
  await send('not this one', NEW)
  await dialog.getByRole('alert').getByText('The password is wrong.').waitFor()
  await page.locator('input[aria-invalid=true]').and(old).waitFor()
  await dialog.getByRole('button', { name: 'Show the new password' }).press('Enter')
  assert.equal(await fresh.getAttribute('type'), 'text')
  await send(CLERK.password, NEW)
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Your password has been changed.').waitFor()

  assert.equal((await phone.call('GET /session')).status, 401, 'the other session has ended')
  await person(api, { ...CLERK, password: NEW })
  await page.reload()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
})
