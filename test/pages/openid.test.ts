import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { linkIdentity } from '../../src/store/people/user-identities.ts'
import { CLIENT, openIdServer } from '../openid-server.ts'
import { ADMIN, CLERK, person } from '../people.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

test('the login page offers the account’s provider, and a person links and unlinks it', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit, url } = await openPages(t, { work: false }, ['portal'])
  const { deps } = api.fixture
  await ensureDemoUsers(deps)
  const { issuer } = await openIdServer(t)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const sign_in = { openid_connect: { name: 'Acme', issuer, client_id: 'public' } }
  const put = await api.operator('PUT /admin/accounts/demo', { body: { ...document, sign_in } })
  assert.equal(put.status, 200, put.text)

  const page = await visit({ path: '/portal/log-in?tenant_id=demo&problem=openid_not_linked' })
  await page.getByRole('alert').getByText('Your Acme login isn’t linked to Drover yet.').waitFor()
  await inEveryLook(page, 'log-in-openid')
  // The provider is another site. Its answer is this address, as if the person had cancelled there.
  let sent: unknown = null
  await page.route('**/session/openid', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent = route.request().postDataJSON()
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
    const response = await route.fetch({ headers })
    if (!response.ok()) return route.fulfill({ response })
    const answer = await response.json()
    assert.ok(answer.data.url.startsWith(`${issuer}/auth?`))
    const cancelled = `${url}/portal/log-in?tenant_id=demo&problem=openid_cancelled`
    await route.fulfill({ json: { data: { url: cancelled } } })
  })
  await page.getByRole('button', { name: 'Log in with Acme' }).press('Enter')
  await page.getByRole('alert').getByText('You cancelled the login at Acme.').waitFor()
  assert.deepEqual(sent, { tenant_id: 'demo', purpose: 'log_in' })

  await page.goto(`${url}/portal/log-in?tenant_id=demo&openid=code`)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await inEveryLook(page, 'log-in-openid-code')
  await page.getByLabel('Code from your authenticator app').fill('123456')
  await page.keyboard.press('Enter')
  await page.getByText('This login took too long, or you have already finished it. Log in again.').waitFor()
  await page.getByRole('link', { name: 'Back to login' }).press('Enter')

  await page.getByLabel('Email').fill(CLERK.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(CLERK.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByRole('button', { name: 'Link Acme' }).press('Enter')
  const linking = page.getByRole('dialog', { name: 'Link Acme' })
  await linking.getByRole('textbox', { name: 'Password' }).fill('not this one')
  await page.keyboard.press('Enter')
  await linking.getByRole('alert').getByText('The password is wrong.').waitFor()
  await lookAt(page, 'your-account-openid')
  await linking.getByRole('button', { name: 'Cancel' }).press('Enter')

  const { id } = (await (await person(api, CLERK)).call('GET /session')).json.data.user
  await linkIdentity(deps.db, { accountId: 'demo', userId: id }, { issuer, subject: 'cleo' })
  await page.reload()
  await page.getByText('You can log in with Acme. Your password still works.').waitFor()
  await page.getByRole('button', { name: 'Unlink Acme' }).press('Enter')
  const unlinking = page.getByRole('dialog', { name: 'Unlink Acme' })
  await unlinking.getByRole('textbox', { name: 'Password' }).fill(CLERK.password)
  await page.keyboard.press('Enter')
  await unlinking.waitFor({ state: 'detached' })
  await page.getByText('Link your Acme login so that you don’t need a password to use Drover.').waitFor()
})

async function logInByPassword(page: Page, { email, password }: typeof ADMIN) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
}

async function logOut(page: Page, menu: RegExp) {
  await page.getByRole('button', { name: menu }).press('Enter')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Log in with Acme' }).waitFor()
}

test('a person goes to a real provider and back: cancels, links, logs in, and types their code', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit, url } = await openPages(t, { work: false, atOwnAddress: true }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const provider = await openIdServer(t, url)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const sign_in = { openid_connect: { name: 'Acme', issuer: provider.issuer, client_id: 'public' } }
  const put = await api.operator('PUT /admin/accounts/demo', { body: { ...document, sign_in } })
  assert.equal(put.status, 200, put.text)
  const open = () => visit({ path: '/portal/log-in?tenant_id=demo', origins: [provider.issuer] })
  const menuOfClerk = /, Cleo Clerk$/

  await t.test('a person who cancels at the provider reads so', async () => {
    provider.expect('cancelled')
    const page = await open()
    await page.getByRole('button', { name: 'Log in with Acme' }).press('Enter')
    await page.getByRole('alert').getByText('You cancelled the login at Acme.').waitFor()
    await page.context().close()
  })

  await t.test('a person links in Your account, logs out, and logs in by the button', async () => {
    provider.expect({ sub: 'cleo' })
    const page = await open()
    await page.getByRole('button', { name: 'Log in with Acme' }).press('Enter')
    await page.getByRole('alert').getByText('Your Acme login isn’t linked to Drover yet.').waitFor()
    await logInByPassword(page, CLERK)
    await page.getByRole('button', { name: 'Link Acme' }).press('Enter')
    const linking = page.getByRole('dialog', { name: 'Link Acme' })
    await linking.getByRole('textbox', { name: 'Password' }).fill(CLERK.password)
    await page.keyboard.press('Enter')
    await page.getByText('You can log in with Acme. Your password still works.').waitFor()
    await logOut(page, menuOfClerk)
    await page.getByRole('button', { name: 'Log in with Acme' }).press('Enter')
    await page.getByRole('button', { name: menuOfClerk }).waitFor()
    assert.ok(page.url().startsWith(`${url}/portal`), page.url())
    await page.context().close()
  })

  await t.test('a person with an authenticator app types its code afterwards', async () => {
    const clerk = await person(api, CLERK)
    const { password } = CLERK
    const begun = await clerk.call('POST /session/second-factor', { body: { password } })
    const { secret } = begun.json.data
    const codeOf = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    const set = await clerk.call('POST /session/second-factor/confirm', { body: { code: codeOf(-1) } })
    assert.equal(set.status, 200, set.text)

    provider.expect({ sub: 'cleo', amr: ['pwd'] })
    const page = await open()
    await page.getByRole('button', { name: 'Log in with Acme' }).press('Enter')
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    const code = page.getByLabel('Code from your authenticator app')
    await code.fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await code.fill(codeOf(0))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: menuOfClerk }).waitFor()
    await page.context().close()
  })

  await t.test('an admin sees who has linked, and unlinks them', async () => {
    const page = await visit({ path: '/portal/log-in' })
    await logInByPassword(page, ADMIN)
    await page.goto(`${url}/portal/account/users`)
    const row = page.getByRole('row', { name: /clerk@wattle\.example/ })
    await row.getByText('logs in with Acme').waitFor()
    await row.getByRole('button', { name: `Unlink Acme: ${CLERK.email}` }).press('Enter')
    const asked = page.getByRole('dialog', { name: `Unlink ${CLERK.email} from Acme?` })
    await lookAt(page, 'people-unlink')
    await asked.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await asked.waitFor({ state: 'detached' })
    await row.getByText('logs in with Acme').waitFor({ state: 'detached' })
    await page.context().close()
  })
})

test('an admin sets up the provider, tests it, stores its secret once, and removes it', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit, url } = await openPages(t, { work: false, atOwnAddress: true }, ['portal'])
  const { deps } = api.fixture
  await ensureDemoUsers(deps)
  const provider = await openIdServer(t, url)
  const page = await visit({ path: '/portal/log-in', origins: [provider.issuer] })
  await logInByPassword(page, ADMIN)
  await page.goto(`${url}/portal/settings/log-in`)
  await page.getByText(`${url}/session/openid/callback/demo`).waitFor()
  await lookAt(page, 'settings-log-in-empty')
  await page.getByLabel('Name').fill('Acme')
  await page.getByLabel('Issuer').fill(`${provider.issuer}/`)
  await page.getByLabel('Client ID').fill(CLIENT.id)
  await page.getByRole('button', { name: 'Test provider' }).press('Enter')
  await page.getByText('The provider answered.').waitFor()
  await page.getByLabel('Issuer').fill('http://127.0.0.1:1')
  await page.getByRole('button', { name: 'Test provider' }).press('Enter')
  await page.getByText('Nothing answers at this address.').waitFor()
  await lookAt(page, 'settings-log-in-test')
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.secret)
  await page.getByRole('button', { name: 'Save the secret' }).press('Enter')
  await page.getByText(/^Saved on .* by Ada Admin$/).waitFor()
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await page.getByText('People can log in with Acme.').waitFor()
  await page.getByRole('button', { name: 'Apply' }).press('Enter')
  await page.getByText('Applied.').waitFor()
  assert.ok(!(await page.content()).includes(CLIENT.secret))
  const { json: applied } = await api.operator('GET /admin/accounts/demo')
  assert.deepEqual(applied.sign_in, {
    openid_connect: {
      name: 'Acme',
      issuer: provider.issuer,
      client_id: CLIENT.id,
      client_secret: { secret: 'openid-client-secret' },
    },
  })

  provider.expect({ sub: 'ada' })
  await page.goto(`${url}/portal/log-in`)
  await page.getByRole('button', { name: 'Link Acme' }).press('Enter')
  const linking = page.getByRole('dialog', { name: 'Link Acme' })
  await linking.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.getByText('You can log in with Acme. Your password still works.').waitFor()

  await page.goto(`${url}/portal/settings/log-in`)
  await page.getByLabel('Issuer').fill('https://id.acme.example')
  await page.getByText(/we’ll delete the old secret so that the new provider never receives it\./).waitFor()
  await lookAt(page, 'settings-log-in')
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByRole('button', { name: 'Remove the provider' }).press('Enter')
  const removing = page.getByRole('dialog', { name: 'Remove Acme?' })
  await removing.getByText('1 person has linked their login to Acme.').waitFor()
  await lookAt(page, 'settings-log-in-remove')
  await removing.getByRole('button', { name: 'Remove it' }).press('Enter')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await page.getByText('People can no longer log in with Acme.').waitFor()
  await page.getByRole('button', { name: 'Apply' }).press('Enter')
  await page.getByText('Applied.').waitFor()
  const { json: secrets } = await api.operator('GET /admin/accounts/demo/secrets')
  assert.ok(!JSON.stringify(secrets).includes('openid-client-secret'))

  const { json: document } = await api.operator('GET /admin/accounts/demo')
  await api.operator('PUT /admin/accounts/demo', { body: { ...document, owner_grants: [] } })
  await page.reload()
  await page.getByText(/^Only your implementation partner can change the login provider\./).waitFor()
  assert.ok(await page.getByLabel('Issuer').isDisabled())
})
