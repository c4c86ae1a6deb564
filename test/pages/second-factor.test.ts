import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN } from '../people.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

test('an admin who needs an authenticator app sets it up, logs in with it, and turns it off', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit } = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const secondFactor = async (who: string) => {
    const body = { ...document, people: { second_factor: who } }
    assert.equal((await api.operator('PUT /admin/accounts/demo', { body })).status, 200)
  }
  await secondFactor('admins')

  const page = await visit()
  const logIn = async () => {
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
    await page.keyboard.press('Enter')
  }
  await logIn()
  await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  await inEveryLook(page, 'second-factor-set-up')
  await page.getByLabel('Code from your authenticator app').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('The code is wrong or has been used before.').waitFor()
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret, -1))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  const codes = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents()
  assert.equal(codes.length, 10)
  await inEveryLook(page, 'second-factor-recovery')
  await page.getByRole('button', { name: 'I’ve saved them' }).press('Enter')

  await page.getByRole('button', { name: 'AA, Ada Admin' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await logIn()
  const code = page.getByLabel('Code from your authenticator app, or a recovery code')
  await code.waitFor()
  await inEveryLook(page, 'second-factor-log-in')
  await code.fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'AA, Ada Admin' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByText('Your authenticator app is on. You have 10 recovery codes left.').waitFor()
  await inEveryLook(page, 'second-factor-on')
  await secondFactor('optional')
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.getByLabel('Code from your authenticator app, or a recovery code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Turn off the app' }).press('Enter')
  await page
    .getByText(
      'With an authenticator app, you log in with your password and a code from your phone, so a stolen password isn’t enough.',
    )
    .waitFor()
})
