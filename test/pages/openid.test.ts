import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { linkIdentity } from '../../src/store/people/user-identities.ts'
import { openIdServer } from '../openid-server.ts'
import { CLERK, person } from '../people.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

test('the log-in page offers the account’s provider, and a person links and unlinks it', {
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
  await page.getByRole('alert').getByText('Your Acme log-in isn’t linked yet.').waitFor()
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
  await page.getByRole('alert').getByText('You cancelled at Acme.').waitFor()
  assert.deepEqual(sent, { tenant_id: 'demo', purpose: 'log_in' })

  await page.goto(`${url}/portal/log-in?tenant_id=demo&openid=code`)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await inEveryLook(page, 'log-in-openid-code')
  await page.getByLabel('Code from your authenticator app').fill('123456')
  await page.keyboard.press('Enter')
  await page.getByText('This log-in took too long, or is already finished. Begin again.').waitFor()
  await page.getByRole('link', { name: 'Back to the log-in' }).press('Enter')

  await page.getByLabel('E-mail').fill(CLERK.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(CLERK.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByRole('button', { name: 'Link Acme' }).press('Enter')
  const linking = page.getByRole('dialog', { name: 'Link Acme' })
  await linking.getByRole('textbox', { name: 'Your password' }).fill('not this one')
  await page.keyboard.press('Enter')
  await linking.getByRole('alert').getByText('The password is wrong.').waitFor()
  await lookAt(page, 'your-account-openid')
  await linking.getByRole('button', { name: 'Leave it' }).press('Enter')

  const { id } = (await (await person(api, CLERK)).call('GET /session')).json.data.user
  await linkIdentity(deps.db, { accountId: 'demo', userId: id }, { issuer, subject: 'cleo' })
  await page.reload()
  await page.getByText('You can log in with Acme. Your password still works.').waitFor()
  await page.getByRole('button', { name: 'Unlink Acme' }).press('Enter')
  const unlinking = page.getByRole('dialog', { name: 'Unlink Acme' })
  await unlinking.getByRole('textbox', { name: 'Your password' }).fill(CLERK.password)
  await page.keyboard.press('Enter')
  await unlinking.waitFor({ state: 'detached' })
  await page.getByText('Link your Acme log-in, and you won’t need your password here.').waitFor()
})
