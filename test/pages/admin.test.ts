import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { toText } from '../../web/portal/account/document/document-text.ts'
import { address, customer, deliveryBody, lineItem, parcel } from '../api.ts'
import { ADMIN } from '../people.ts'
import { until } from '../wait-until.ts'
import { lookAt, openPages, type Pages, picture, withoutBrowser } from './browser.ts'
import { logIn, partnerLogIn, shopDay } from './shop-day.ts'
import { writeDocument } from './write-document.ts'

test('an account’s pages', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  await endAll(pages)

  await t.test('the pages pass the accessibility checks', async () => {
    const page = await pages.visit()
    await logIn(page, 'merchant_admin')
    for (const [name, path, there] of [
      ['insights', '/portal/insights', 'Did deliveries arrive on time?'],
      ['people', '/portal/account/users', 'Invite someone'],
      ['carriers', '/portal/account/carriers', 'Switched on and responding.'],
      ['clients', '/portal/account/clients', 'Demo client'],
      ['webhooks', '/portal/account/webhooks', 'No webhooks yet.'],
      ['messages', '/portal/account/messages', 'Not sent'],
      ['audit', '/portal/account/audit', 'log in'],
    ] as const) {
      await page.goto(pages.url + path)
      await page.getByText(there).first().waitFor()
      await lookAt(page, name)
    }
    await page.context().close()
    const partner = await partnerLogIn(pages)
    for (const [name, path, there] of [
      ['document', '/portal/account', 'History'],
      ['sandbox', '/portal/account/sandbox', 'BH'],
    ] as const) {
      await partner.goto(pages.url + path)
      await partner.getByText(there).first().waitFor()
      await lookAt(partner, name)
    }
    await partner.context().close()
  })

  await t.test('the header fits screens of any width', async () => {
    const page = await pages.visit({ path: '/portal/insights' })
    await logIn(page, 'merchant_admin')
    await page.getByText('Did deliveries arrive on time?').first().waitFor()
    for (const width of [1041, 1160, 1241, 1280, 1366, 1401, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      await until(
        async () => (await page.evaluate<number>('innerWidth')) === width,
        'the window has the new width',
      )
      const band = page.locator('.band')
      const { right, lines } = await band.evaluate((el) => ({
        right: Math.max(...[...el.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right)),
        lines: el.getBoundingClientRect().height,
      }))
      assert.ok(right <= width, `at ${width} px the header reaches to ${right}`)
      assert.ok(lines <= 64, `at ${width} px the header is ${lines} px high`)
      await picture(page, `head-${width}`)
    }
    await page.context().close()
  })

  await t.test('insights state each chart in a sentence and as a table', async () => {
    const page = await pages.visit({ path: '/portal/insights' })
    await logIn(page, 'merchant_admin')
    await page.getByText(/arrived within the window we promised;.* 1 arrived late/).waitFor()
    await page.getByRole('button', { name: 'Did deliveries arrive on time? Show as a table' }).click()
    await page.getByRole('columnheader', { name: 'Share on time' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    assert.equal(file.suggestedFilename(), 'costs-2026-11-01-2026-11-24.csv')
    await costsAddUp(pages, await readFile(await file.path(), 'utf8'))
    const [ofOne] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Carriers CSV' }).click(),
    ])
    assert.match(ofOne.suggestedFilename(), /^insights-carriers-.*\.csv$/)

    const costs = page.getByRole('img', { name: /^All carriers \$/ })
    assert.match(
      (await costs.getAttribute('aria-label')) ?? '',
      /Settings applied: version 1 in the week of 23 Nov$/,
    )
    await costs.getByText('version 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'What does a delivery cost? Show as a table' }).click()
    await page.getByRole('cell', { name: 'version 1' }).waitFor()

    const carriers = page.getByRole('region', { name: 'Carriers', exact: true }).getByRole('table')
    const names = () => carriers.getByRole('rowheader').allTextContents()
    const busiest = await names()
    assert.ok(busiest.length > 1)
    const sorted = (order: string) =>
      carriers
        .getByRole('columnheader', { name: 'Carrier' })
        .and(page.locator(`[aria-sort=${order}]`))
        .waitFor()
    await carriers.getByRole('button', { name: 'Carrier', exact: true }).press('Enter')
    await sorted('ascending')
    assert.deepEqual(await names(), busiest.toSorted())
    await carriers.getByRole('button', { name: 'Carrier', exact: true }).press('Enter')
    await sorted('descending')
    assert.deepEqual(await names(), busiest.toSorted().toReversed())

    await page.getByRole('row', { name: /^Doesn’t take this kind of parcel Big Haul FREIGHT/ }).waitFor()
    await lookAt(page, 'insights-tables')
    await page.locator('.lede a[href*="timeliness=late"]').click()
    await page.getByText(/^Deliveries that ended between 1 Nov and 24 Nov, delivered late/).waitFor()
    await page.getByRole('link', { name: 'WC-10482' }).waitFor()
    assert.deepEqual(await page.locator('.all-row .who b').allTextContents(), ['WC-10482'])
    await picture(page, 'insights-opened')
    await page.getByRole('button', { name: 'Clear this filter' }).click()
    await page.locator('.all-row').nth(1).waitFor()
    await page.context().close()
  })

  await t.test('an invited user chooses a name and a password and is logged in', async () => {
    const page = await pages.visit({ path: '/portal/account/users' })
    await logIn(page, 'merchant_admin')
    await page.getByLabel('Email').fill('new@wattle.example')
    await page.getByRole('checkbox', { name: 'Fitzroy' }).check()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const message = await page.getByText('We’ve emailed an invitation to').textContent()
    const address = new URL(/https?:\S+/.exec(message ?? '')?.[0] ?? '')
    await page.context().close()

    const guest = await pages.visit({ path: address.pathname + address.hash })
    await guest.getByLabel('Your name').fill('Nora New')
    await guest.getByLabel('Password', { exact: true }).fill('a long enough one')
    await lookAt(guest, 'welcome')
    await guest.getByRole('button', { name: 'Get started' }).click()
    await guest.getByRole('button', { name: /Nora New/ }).waitFor()
    await guest.getByRole('heading', { name: 'Today' }).waitFor()
    assert.equal(await guest.getByRole('link', { name: 'Insights' }).count(), 0, 'a clerk sees no insights')
    await guest.context().close()
  })

  await t.test('an API client is created, its secret is shown once, and it is revoked', async () => {
    const page = await pages.visit({ path: '/portal/account/clients' })
    await logIn(page, 'merchant_admin')
    await page.getByLabel('Name').fill('Web shop')
    await page.getByRole('checkbox', { name: 'Fitzroy' }).check()
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await loseResponses(page, '**/accounts/demo/clients', 1)
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByText('We show this secret only once').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await lookAt(page, 'client-secret')
    const secret = (await page.locator('dialog .mono').allTextContents()) as [string, string]
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    const row = page.getByRole('row', { name: /Web shop/ })
    await row.getByText('Not yet').waitFor()
    assert.equal(await row.count(), 1, 'the repeated request made no second client')
    await row.getByText('fitzroy').waitFor()
    await row.getByText('Ada Admin').waitFor()
    await pages.api.tokenOf(...secret)
    await until(async () => {
      const text = 'select from api_clients where client_id = $1 and last_used_at is not null'
      return (await pages.api.fixture.deps.db.query(text, [secret[0]])).rowCount === 1
    }, 'the client’s last use was recorded')
    await page.reload()
    await row.getByText(/\d [ap]m, (just now|\d+ min ago)$/).waitFor()
    await lookAt(page, 'client-used')
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await page.route(`**/clients/${secret[0]}`, (route) => held.then(() => route.continue()))
    await page.getByRole('button', { name: 'Revoke Web shop' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.locator('dialog [aria-disabled]', { hasText: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    // Open until the server has responded; the second Escape closes it for a moment.
    await page.getByRole('dialog').waitFor()
    answer()
    await page.getByRole('button', { name: 'Revoke Web shop' }).waitFor({ state: 'detached' })

    // The page tries three times.
    await page.unroute('**/accounts/demo/clients')
    await loseResponses(page, '**/accounts/demo/clients', 3)
    await page.getByLabel('Name').fill('Till')
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByText('There was no response').waitFor()
    await page.getByRole('button', { name: 'Revoke Till' }).waitFor()
    await page.getByLabel('Name').fill('Changed')
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByText('Your first try may have worked. Check the list').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revoke Changed' }).count(), 0)
    await page.context().close()
  })

  await t.test(
    'a partner edits the account with a mistake, corrects it, applies it, and rolls back',
    async () => {
      const page = await partnerLogIn(pages)
      await page.goto(`${pages.url}/portal/account`)
      const editor = page.getByRole('textbox', { name: 'The document' })
      const text = toText((await pages.api.operator('GET /admin/accounts/demo')).json)
      const wrong = text.replace('lead_minutes: 60', 'lead_minutes: -60').replace('name: Fitzroy', 'name: 7')
      await writeDocument(page, wrong)
      const lineOf = (words: string) => wrong.split('\n').findIndex((one) => one.includes(words)) + 1
      const lines = [lineOf('lead_minutes: -60'), lineOf('name: 7')].sort((a, b) => a - b)
      const mistakes = page.getByRole('alert')
      await mistakes.getByText('2 mistakes').waitFor()
      assert.deepEqual(
        await mistakes.getByRole('button').allTextContents(),
        lines.map((line) => `Line ${line}`),
        'without a press of Plan, in the order of the lines',
      )
      await mistakes.getByRole('button', { name: `Line ${lines[1]}` }).click()
      await lookAt(page, 'document-mistake')
      await page.getByRole('button', { name: 'Plan' }).click()
      await mistakes.getByText('2 mistakes').waitFor()

      await writeDocument(page, 'booking:\n  lead')
      await page.keyboard.press('Control+Space')
      await page.getByRole('option', { name: /lead_minutes/ }).waitFor()
      await lookAt(page, 'document-completion')
      await page.keyboard.press('Enter')
      await editor.getByText('lead_minutes:').waitFor()

      await writeDocument(page, text.replace('lead_minutes: 60', 'lead_minutes: 45'))
      await page.getByRole('button', { name: 'Plan' }).click()
      await page.getByRole('heading', { name: 'Plan' }).waitFor()
      await page.getByText('lead minutes').waitFor()
      await lookAt(page, 'plan')
      await page.getByRole('button', { name: 'Apply version 2' }).click()
      await page.getByText('version 2 is in use').waitFor()
      assert.equal(pages.api.fixture.demo().account.booking.leadMinutes, 45)

      await page.getByRole('button', { name: 'What changed in version 2' }).click()
      await page.getByRole('heading', { name: 'Version 2' }).waitFor()
      await page.getByText('1 line added, 1 line removed').waitFor()
      const changed = page.getByRole('listitem').filter({ hasText: 'lead minutes' })
      assert.match((await changed.first().textContent()) ?? '', /60.*45/)
      await page.getByText('This version is in use.').waitFor()
      await lookAt(page, 'version-changed')
      await page.getByRole('button', { name: 'Back to the document' }).click()
      await page.getByRole('button', { name: 'What changed in version 1' }).click()
      await page.getByText('This is the first version, so everything in it is new.').waitFor()
      await page.getByRole('button', { name: 'Go back to version 1' }).click()
      await page.getByRole('button', { name: 'Apply version 3' }).click()
      await page.getByText('version 3 is in use').waitFor()
      const { json } = await pages.api.operator('GET /admin/accounts/demo')
      assert.equal(toText(json), text, 'the account has its first document again')
      await page.context().close()
    },
  )

  await t.test('a partner’s text survives another version, and is applied after it', async () => {
    const page = await partnerLogIn(pages)
    await page.goto(`${pages.url}/portal/account`)
    await page.getByText('version 3 is in use').waitFor()
    const { json: first } = await pages.api.operator('GET /admin/accounts/demo')
    const rename = async (name: string) => {
      const { status, text } = await pages.api.operator('PUT /admin/accounts/demo', {
        body: { ...first, name },
      })
      assert.equal(status, 200, text)
    }
    const plan = () => page.getByRole('button', { name: 'Plan' }).click()
    const conflict = page
      .getByRole('alert')
      .filter({ hasText: 'The account has changed since you opened it' })
    await writeDocument(page, `# My text\n${toText(first).replace('lead_minutes: 60', 'lead_minutes: 50')}`)
    await rename('Fourth')
    await plan()
    await conflict.getByText('Version 4 is in use now.').waitFor()
    await findMyText(page)
    await plan()
    const apply = page.getByRole('button', { name: 'Apply version 5' })
    await apply.waitFor()
    await rename('Fifth')
    await apply.click()
    await conflict.getByText('Version 5 is in use now.').waitFor()
    await findMyText(page)
    await plan()
    await page.getByRole('button', { name: 'Apply version 6' }).click()
    await page.getByText('version 6 is in use').waitFor()
    assert.equal(await conflict.count(), 0)
    assert.equal(pages.api.fixture.demo().account.booking.leadMinutes, 50)
    await rename(first.name)
    await page.context().close()
  })

  await t.test('a partner does not lose text that is not applied', async () => {
    const page = await partnerLogIn(pages)
    await page.goto(`${pages.url}/portal/account`)
    const asked: string[] = []
    page.removeAllListeners('dialog')
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.getByText('version 7 is in use').waitFor()
    const { json } = await pages.api.operator('GET /admin/accounts/demo')
    await writeDocument(page, `# My text\n${toText(json)}`)
    const leave = () => page.getByRole('link', { name: 'Sandbox' }).click()
    await leave()
    await until(async () => asked.length === 1, 'the page asked')
    await findMyText(page)
    await page.close({ runBeforeUnload: true })
    await until(async () => asked.length === 2, 'the browser asked')
    assert.deepEqual(asked, ['confirm', 'beforeunload'])

    const goBack = () => page.getByRole('button', { name: 'Go back to version 2' }).click()
    await page.route('**/versions/2', (route) => route.abort())
    await goBack()
    await page.getByRole('alert').getByText('There was no response.').waitFor()
    await page.unroute('**/versions/2')
    await goBack()
    await page.getByRole('heading', { name: 'Plan' }).waitFor()
    await page.getByRole('button', { name: 'Back to the document' }).click()
    await findMyText(page)

    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('You haven’t changed anything.').waitFor()
    await leave()
    await page.waitForURL('**/account/sandbox')
    assert.equal(asked.length, 2)
    await page.context().close()
  })

  await t.test('a failed check keeps the list of mistakes, and a correction clears it', async () => {
    const page = await partnerLogIn(pages)
    await page.goto(`${pages.url}/portal/account`)
    const text = toText((await pages.api.operator('GET /admin/accounts/demo')).json)
    const wrong = text.replace('lead_minutes: 60', 'lead_minutes: -60')
    const alert = page.getByRole('alert')
    await writeDocument(page, wrong)
    await alert.getByText('1 mistake').waitFor()
    const planned = page.waitForResponse(/dry_run/)
    await page.getByRole('button', { name: 'Plan' }).click()
    await planned

    await page.route(/dry_run/, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await writeDocument(page, `${wrong}# More\n`)
    await failed
    // The page has had time to react.
    await page.waitForTimeout(500)
    assert.ok(await alert.getByText('1 mistake').isVisible())
    await page.unroute(/dry_run/)
    await writeDocument(page, `${text}# More\n`)
    await alert.waitFor({ state: 'detached' })
    await page.context().close()
  })

  await t.test('a webhook is added, its secret is shown once, and an event is redelivered', async () => {
    const page = await pages.visit({ path: '/portal/account/webhooks' })
    await logIn(page, 'merchant_admin')
    await page.getByLabel('Address').fill('https://hooks.example.com/drover')
    await loseResponses(page, '**/demo/webhook-endpoints', 1)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('whsec_').waitFor()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await loseResponses(page, '**/rotate-secret', 1)
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByText('whsec_').waitFor()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    const rotations = `select from audit_log where action in ('createWebhookEndpoint', 'rotateWebhookSecret')`
    assert.equal((await pages.api.fixture.deps.db.query(rotations)).rowCount, 2, 'each change was made once')
    await page.getByText('No events sent yet.').waitFor()
    const attempts = '**/attempts?*'
    await page.route(attempts, (route) => route.fulfill({ status: 404, json: {} }))
    await page.reload()
    await page.getByText('We can’t find what you asked for.').waitFor()
    assert.equal(await page.getByText('No events sent yet.').count(), 0)
    await page.unroute(attempts)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No events sent yet.').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/^Paused/).waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    const counted = page.getByText(/^We’ll send \d+ events again\.$/)
    await counted.waitFor()
    await page.getByLabel('Events since').fill('2026-11-24T23:00')
    await page.getByText('There have been no events for this webhook since the time above.').waitFor()
    await page.getByLabel('Events since').fill('2026-11-24T08:00')
    await counted.waitFor()
    await lookAt(page, 'replay')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText(/events? (is|are) waiting/).waitFor()
    await page.context().close()
  })

  await t.test('a link shows its state, and is copied, resent and revoked', async () => {
    const { api } = pages
    const body = {
      store_reference: 'fitzroy',
      reference: 'CC-77',
      ...{ customer, address: { ...address, country: undefined }, line_items: [lineItem], parcels: [parcel] },
    }
    const { json } = await api.call('POST /demo/links', { body })
    await api.call('POST /demo/links', { body: { ...body, reference: 'CC-78' } })
    const page = await pages.visit({ path: '/portal/links' })
    await logIn(page, 'merchant_admin')
    const row = page.getByRole('row', { name: /CC-77/ })
    await row.getByText('Not sent').first().waitFor()
    await page.getByRole('button', { name: 'Copy the link for CC-77' }).click()
    await page.getByText(json.data.link).waitFor()
    await lookAt(page, 'link-address')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Send again: the link for CC-77' }).click()
    await page.getByText(/This link was sent less than a minute ago/).waitFor()
    // As if the minute between two sends had passed.
    await api.fixture.deps.db.query('delete from login_attempts')
    await page.getByRole('button', { name: 'Send again: the link for CC-77' }).click()
    await row.getByText('We’re sending the customer the same link again.').waitFor()
    await api.call(`POST ${new URL(json.data.link).pathname}/verify`, {
      body: { reference: 'wrong' },
      token: null,
    })
    await page.reload()
    await row.getByText('Opened').waitFor()
    await lookAt(page, 'links-open')
    const list = '**/demo/links'
    await page.route(list, (route) => route.fulfill({ status: 404, json: {} }))
    await page.getByRole('button', { name: 'Revoke the link for CC-77' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unroute(list)
    await retry.click()
    await retry.waitFor({ state: 'detached', timeout: 5_000 })
    await row.getByText('Revoked').waitFor()
    assert.equal(await row.getByRole('button').count(), 0)
    await page.context().close()
  })

  await t.test('a partner advances the test clock', async () => {
    const page = await partnerLogIn(pages)
    await page.goto(`${pages.url}/portal/account/sandbox`)
    await page.getByRole('heading', { name: /1[01]:\d\d am, Tuesday 24 November/ }).waitFor()
    await page.getByRole('button', { name: '1 day forward' }).click()
    await page.getByRole('heading', { name: /Wednesday 25 November/ }).waitFor()
    await picture(page, 'sandbox-day-on')
    await page.context().close()
  })

  await t.test('a carrier that closed down is switched off, with its deliveries, and on again', async () => {
    const { call } = pages.api
    const document = (await pages.api.operator('GET /admin/accounts/demo')).json
    const body = { ...document, booking: { ...document.booking, replan_when_off: true } }
    assert.equal((await pages.api.operator('PUT /admin/accounts/demo', { body })).status, 200)
    const made = await call('POST /demo/deliveries', {
      body: deliveryBody({ store_reference: 'fitzroy', reference: 'WC-10600', book_delivery_now: true }),
    })
    const holder = made.json.data.carrier_provider
    const stateOf = async (name: string) =>
      (await call('GET /demo/carriers')).json.data.find((one: { name: string }) => one.name === name)
    const page = await pages.visit({ path: '/portal/account/carriers' })
    await logIn(page, 'merchant_admin')
    const carrier = page.getByRole('region', { name: holder, exact: true })
    await carrier.getByRole('button', { name: 'Switch off' }).click()
    const dialog = page.getByRole('dialog', { name: `Switch ${holder} off?` })
    await dialog.getByRole('checkbox', { name: /^Book another carrier/, checked: true }).waitFor()
    await dialog.getByLabel('Reason').fill('Closed down')
    await dialog.getByRole('checkbox', { name: / has stopped collecting for good$/ }).check()
    await lookAt(page, 'switch-off')
    await dialog.getByRole('button', { name: 'Switch it off' }).click()
    await dialog.waitFor({ state: 'detached' })
    await carrier
      .getByText(/^Switched off since .*\. .+ has stopped collecting for good\. Reason: Closed down$/)
      .waitFor()
    const { on, decommissioned, reason } = await stateOf(holder)
    assert.deepEqual([on, decommissioned, reason], [false, true, 'Closed down'])
    await until(
      async () => (await call('GET /demo/deliveries/WC-10600')).json.data.carrier_provider !== holder,
      'another carrier gets the delivery',
    )
    await carrier.getByRole('button', { name: 'Switch on' }).click()
    await carrier.getByText('Switched on and responding.').waitFor()
    assert.equal((await stateOf(holder)).on, true)
    await page.context().close()
  })
})

/** The server makes the next POSTs to `url`, and the page gets no response to them. */
async function loseResponses(page: Page, url: string, times: number): Promise<void> {
  let lost = 0
  await page.route(url, async (route) => {
    if (lost === times || route.request().method() !== 'POST') return route.continue()
    lost++
    // Playwright sends the request without the header by which the server recognises its own pages.
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' }
    assert.ok((await route.fetch({ headers })).ok())
    return route.abort()
  })
}

/** The editor renders only the lines that fit: the first one has the words. */
async function findMyText(page: Page): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'The document' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await editor.getByText('# My text').waitFor()
}

/** Ends deliveries as carriers would: all inside the window, except one that is late. */
async function endAll({ api }: Pages): Promise<void> {
  await api.fixture.deps.db.query(
    `update deliveries set status = 'delivered', due_at = null, updated_at = '2026-11-24T10:41:00+11:00',
       carrier_event_at = case when reference = 'WC-10482' then window_to + interval '10 minutes'
         else window_from + (window_to - window_from) * 0.35 end
     where reference like 'WC-104__' and status in ('booked', 'assigned', 'approaching', 'collected')`,
  )
}

/** The file is one table as Excel reads it, and its charges add up to the total of the insights. */
async function costsAddUp({ api }: Pages, text: string): Promise<void> {
  assert.ok(text.startsWith('\uFEFFOrder,Status,Store,Suburb,Carrier,'), text.slice(0, 80))
  assert.ok(text.endsWith('\r\n'))
  const [head = [], ...rows] = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  const charged = rows.map((row) => row[head.indexOf('Charged')] ?? '')
  assert.ok(charged.every((dollars) => /^(\d+\.\d\d)?$/.test(dollars)))
  const { total } = (await api.call('GET /demo/insights?from=2026-11-01&to=2026-11-24')).json.data
  assert.equal(
    charged.reduce((sum, dollars) => sum + Math.round(Number(dollars) * 100), 0),
    total.cost_cents,
  )
  assert.equal(rows.filter((row) => /^(Delivered|Returned)$/.test(row[1] ?? '')).length, total.deliveries)
}
