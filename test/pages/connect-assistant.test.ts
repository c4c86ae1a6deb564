import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN, person } from '../people.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { tabTo } from './keyboard.ts'
import { inEveryLook } from './looks.ts'
import { logIn } from './shop-day.ts'

const ASSISTANT = 'https://assistant.example.com'
const REDIRECT = `${ASSISTANT}/callback`

test('an admin adds and edits an assistant; they allow it, refuse it and end its access', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit, url } = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const page = await visit({ path: '/portal/account/assistants', origins: [ASSISTANT] })
  await page.route(`${REDIRECT}*`, (route) => route.fulfill({ contentType: 'text/html', body: 'Connected' }))
  const typeLogIn = async () => {
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
    await page.keyboard.press('Enter')
  }
  await typeLogIn()
  await page.getByText('No assistants yet').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Cloud')
  await page.getByLabel('Redirect URLs').fill('http://assistant.example.com/callback')
  await page.getByRole('button', { name: 'Add assistant' }).press('Enter')
  await page.getByRole('alert').filter({ hasText: 'must begin with https://' }).waitFor()
  await inEveryLook(page, 'assistants')
  await page.getByLabel('Redirect URLs').fill(`${ASSISTANT}/old`)
  await page.getByRole('button', { name: 'Add assistant' }).press('Enter')
  await page.getByRole('cell', { name: 'Cloud', exact: true }).waitFor()

  // With the keyboard alone: a refused address keeps the dialog open, and the focus returns to the row.
  const focused = page.locator(':focus')
  const dialog = page.getByRole('dialog', { name: 'Edit Cloud' })
  await tabTo(page, 'Edit Cloud')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').and(focused).waitFor()
  await dialog.getByText('You haven’t changed anything.').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Claude')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Redirect URLs').and(focused).waitFor()
  assert.equal(await dialog.getByLabel('Redirect URLs').inputValue(), `${ASSISTANT}/old`)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(`${REDIRECT}#top`)
  await dialog.getByText('Nobody will be able to connect this assistant through the old one.').waitFor()
  await page.keyboard.press('Control+Enter')
  const refused = dialog.getByRole('alert').filter({ hasText: 'may not contain a #' })
  await refused.waitFor()
  const message = await dialog.getByLabel('Redirect URLs').getAttribute('aria-describedby')
  assert.ok(message?.split(' ').includes((await refused.getAttribute('id')) ?? ''), 'it is at its field')
  await inEveryLook(page, 'edit-assistant')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(REDIRECT)
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: REDIRECT, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit Claude' }).and(focused).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const { data } = (await (await person(api, ADMIN)).call('GET /demo/assistants')).json
  const [{ id: clientId, name, redirect_urls }] = data
  assert.deepEqual([name, redirect_urls], ['Claude', [REDIRECT]])

  const request = (over: Record<string, string> = {}) =>
    `/portal/connect/demo?${new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, state: 'xyz' },
      ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
      ...over,
    })}`
  // A person who is not logged in logs in and comes back.
  await page.context().clearCookies()
  await page.goto(url + request())
  await typeLogIn()
  await page.getByRole('heading', { name: 'Let Claude use Drover for you?' }).waitFor()
  await page.getByText('assistant.example.com').waitFor()
  await inEveryLook(page, 'connect-assistant')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    assert.ok(overflow <= 0, `nothing is beside the page at ${width}`)
  }
  await page.getByRole('radio', { name: 'Read only' }).focus()
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.getByRole('radio', { name: 'Read and make changes' }).isChecked(), true)
  await page.keyboard.press('Tab')
  await page.keyboard.type('a wrong password')
  await page.keyboard.press('Enter')
  await page.getByText('The password is wrong.').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.getByText('Connected').waitFor()
  const answer = new URL(page.url())
  assert.deepEqual([...answer.searchParams.keys()], ['code', 'state', 'iss'])

  await page.goto(url + request())
  await page.getByRole('button', { name: 'Don’t allow' }).press('Enter')
  await page.getByText('Connected').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')

  for (const over of [
    { redirect_uri: `${REDIRECT}/other` },
    { client_id: 'ast_01kb0000000000000000000000' },
  ]) {
    await page.goto(url + request(over))
    await page.getByRole('heading', { name: 'We can’t connect this assistant' }).waitFor()
    assert.equal(new URL(page.url()).origin, url, 'the page goes nowhere')
  }
  await inEveryLook(page, 'connect-assistant-wrong')

  await api.fixture.deps.db.query(
    `update assistant_grants set exchanged_at = now(), expires_at = now() + interval '1 day'`,
  )
  await page.goto(`${url}/portal/log-in`)
  await page.getByRole('button', { name: 'End access: Claude' }).press('Enter')
  await page.getByText('Assistants that act for you').waitFor({ state: 'detached' })

  await page.goto(`${url}/portal/account/assistants`)
  await page.getByRole('button', { name: 'Remove Claude' }).press('Enter')
  await page.getByRole('button', { name: 'Remove it' }).press('Enter')
  await page.getByText('No assistants yet').waitFor()
})

test('an admin limits what assistants may spend: reviewed, applied, and removed again', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { api, visit } = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(api.fixture.deps)
  const page = await visit({ path: '/portal/account/assistants' })
  await logIn(page, 'merchant_admin')
  const focused = page.locator(':focus')
  const limit = page.getByLabel('Daily limit')
  const limitNow = async () =>
    (await api.operator('GET /admin/accounts/demo')).json.assistants?.spending_limit_cents_per_day
  const applyWith = async (sentence: string) => {
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog', { name: 'Review your changes' }).getByText(sentence).waitFor()
    await page.getByRole('button', { name: 'Apply' }).press('Enter')
    await page.getByText('Applied.').waitFor()
    await limit.and(focused).waitFor()
  }
  await tabTo(page, 'Daily limit')
  await page.keyboard.type('a lot')
  await page.getByText('Enter an amount in dollars, such as 12.50.').waitFor()
  await page.keyboard.press('Control+Enter')
  const mistake = page.getByRole('alert').filter({ hasText: 'Assistants, spending limit:' })
  await mistake.getByText('Must be a number, not the text "a lot".').waitFor()
  assert.doesNotMatch(await mistake.innerText(), /cents/, 'the form has dollars')
  await inEveryLook(page, 'spending-limit')

  await limit.fill('50.5')
  await applyWith('Each API client and each assistant may spend at most $50.50 a day through MCP.')
  assert.equal(await limitNow(), 5_050)
  assert.equal(await limit.inputValue(), '50.50')

  await limit.fill('')
  await applyWith('There is no limit on what API clients and assistants may spend through MCP.')
  assert.equal(await limitNow(), undefined)
})
