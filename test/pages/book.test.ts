import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { address, customer, lineItem, parcel } from '../api.ts'
import { until } from '../wait-until.ts'
import { openPages, type Pages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

const skip = withoutBrowser()
const { country: _, ...street } = address

async function linkOf({ api }: Pages, over: object = {}): Promise<{ id: string; path: string }> {
  const body = {
    store_reference: 'fitzroy',
    reference: 'WC-10505',
    customer,
    address: street,
    line_items: [
      { ...lineItem, name: 'Table lamp' },
      { ...lineItem, code: 'BULB', name: 'Bulb', quantity: 2 },
    ],
    parcels: [parcel],
    ...over,
  }
  const { status, json, text } = await api.call('POST /demo/links', { body })
  assert.equal(status, 201, text)
  return { id: json.data.id, path: new URL(json.data.link).pathname }
}

/** The page as it is, in both schemes at both sizes. */
async function looksRight(page: Page, name: string): Promise<void> {
  await inEveryLook(page, name)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 844 })
}

async function verify(page: Page, reference: string, go = 'See my order'): Promise<void> {
  await page.getByLabel('Order reference').fill(reference)
  await page.getByRole('button', { name: go }).click()
}

test('a customer books through a link: order number, free time, confirmation', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['book', 'track'])
  const { path } = await linkOf(pages)
  const page = await pages.visit({ width: 390, height: 844, path })
  await page.getByRole('heading', { name: 'Which order is it?' }).waitFor()
  await looksRight(page, 'book-reference')
  assert.doesNotMatch(
    await page.content(),
    /WC-10505|Ada|Table lamp|Drummond/,
    'the page shows nothing about the order yet',
  )

  await page.route('**/verify', (route) => route.abort())
  await verify(page, 'WRONG')
  await page.getByText('There was no response. Try again once you’re online.').waitFor()
  await page.unroute('**/verify')
  await verify(page, 'WRONG')
  await page.getByText('That is not the reference of this order. 4 tries left.').waitFor()
  await verify(page, ' wc-10505 ')
  await page.getByRole('heading', { name: 'When should we deliver it, Ada?' }).waitFor()
  await page.getByText('Table lamp and 2 more items, ready at our Fitzroy store.').waitFor()
  await page.getByRole('radio', { name: /2 – 8 pm/ }).check()
  await page.getByLabel('Leave it at the door').check()
  await page.getByLabel('A note for the courier').fill('Ring twice.')
  await looksRight(page, 'book-choose')
  assert.doesNotMatch(await page.locator('body').innerText(), /\$|Nguyen|Swiftly/)
  const kept = async () => {
    assert.equal(await page.getByLabel('A note for the courier').inputValue(), 'Ring twice.')
    assert.equal(await page.getByLabel('Leave it at the door').isChecked(), true)
  }
  await page.reload()
  await page.getByRole('radio', { name: /2 – 8 pm/ }).waitFor()
  await kept()
  // After half an hour the page asks for the order number again, and for nothing else.
  await page.evaluate(`for (const [key, text] of Object.entries(sessionStorage))
    if (key.startsWith('drover-link-')) sessionStorage[key] = text.replace(/"session":"[^"]+"/, '"session":"1.over"')`)
  await page.reload()
  await verify(page, 'WC-10505')
  await page.getByRole('radio', { name: /2 – 8 pm/ }).check()
  await kept()
  const elsewhere = await tabOf(page, pages.url + path)
  await page.getByRole('button', { name: 'Deliver it today, 2 – 8 pm' }).click()

  await page.getByText('Done, Ada.').waitFor()
  await looksRight(page, 'book-done')
  const calendar = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')
  const entry = decodeURIComponent(calendar ?? '')
  assert.match(entry, /^data:text\/calendar;charset=utf-8,BEGIN:VCALENDAR\r\n/)
  assert.match(entry, /DTSTART:20261124T030000Z\r\nDTEND:20261124T090000Z/)
  await page.getByRole('link', { name: 'Track it' }).click()
  await page.getByText('Order WC-10505').waitFor()
  await page.getByText('Left at your door if you are out').waitFor()
  await page.getByText('“Ring twice.”').waitFor()
  const isBooked = async (one: Page) => {
    await one.getByRole('heading', { name: '2 – 8 pm' }).waitFor()
    await one.getByRole('link', { name: 'Track it' }).waitFor()
    assert.equal(await one.getByText('When should we deliver it').count(), 0)
  }
  await page.goBack()
  await isBooked(page)
  await page.reload()
  await isBooked(page)
  // Another tab still shows its options: pressing one shows the booking made in this tab.
  await elsewhere.getByRole('radio').last().check()
  await elsewhere.getByRole('button', { name: /^Deliver it/ }).click()
  await elsewhere.getByText('This is booked already.').waitFor()
  await isBooked(elsewhere)

  const later = await pages.visit({ width: 390, height: 844, path })
  await later.getByRole('heading', { name: 'This is booked already' }).waitFor()
  assert.equal(await later.getByText('choose when it comes').count(), 0)
  await looksRight(later, 'book-used-reference')
  await verify(later, 'WC-10505', 'See when it comes')
  await later.getByText('This is booked already.').waitFor()
  await looksRight(later, 'book-used')
})

/** Opens the link in another tab of the same browser, up to the choice of a time. */
async function tabOf(page: Page, url: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(url)
  await verify(tab, 'WC-10505')
  await tab.getByRole('radio').first().waitFor()
  // The page polls the link every minute.
  await tab.route('**/options', () => {})
  return tab
}

test('a link that is used in another tab shows that booking', { skip }, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['book', 'track'])
  const { path } = await linkOf(pages)
  const page = await pages.visit({ width: 390, height: 844, path })
  await verify(page, 'WC-10505')
  await page.getByRole('radio', { name: /2 – 8 pm/ }).check()
  const elsewhere = await tabOf(page, pages.url + path)
  await page.getByRole('button', { name: /^Deliver it/ }).click()
  await page.getByText('Done, Ada.').waitFor()
  // The page does not know of the other tab until its next poll.
  await elsewhere.unroute('**/options')
  await elsewhere.reload()
  await elsewhere.getByText('This is booked already.').waitFor()
  await elsewhere.getByRole('heading', { name: '2 – 8 pm' }).waitFor()
})

test('without free times the page says so and whom to contact, and has no button', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['book'])
  const { path } = await linkOf(pages)
  const page = await pages.visit({ width: 390, height: 844, path })
  await verify(page, 'WC-10505')
  await page.getByRole('radio').first().check()
  const { operator } = pages.api
  const { json: document } = await operator('GET /admin/accounts/demo')
  const apply = async (body: object) => {
    const { status, text } = await operator('PUT /admin/accounts/demo', { body })
    assert.equal(status, 200, text)
  }
  const light = structuredClone(document)
  for (const { services } of light.carriers) {
    for (const service of services) service.limits = { ...service.limits, max_total_kg: 0.1 }
  }
  await apply(light)
  const isNone = async () => {
    await page.getByRole('heading', { name: 'No delivery times right now, Ada.' }).waitFor()
    await page.getByRole('link', { name: 'call Wattle & Co Fitzroy' }).waitFor()
    assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
    const title = /^No delivery times right now - /
    await until(async () => title.test(await page.title()), 'the page’s title changes too')
  }
  await page.getByRole('button', { name: /^Deliver it/ }).click()
  await page.getByText('That time is no longer available. It was the last one.').waitFor()
  await isNone()
  await looksRight(page, 'book-none-left')
  await page.reload()
  await isNone()
  assert.equal(await page.getByText('is no longer available').count(), 0)
  await looksRight(page, 'book-none')

  await apply(document)
  await page.reload()
  await page.getByRole('radio').first().waitFor()
})

test('a chosen time is booked as shown, or the page says that it is no longer free', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, { work: false }, ['book', 'track'])
  const { api } = pages
  const { path } = await linkOf(pages)
  const page = await pages.visit({ width: 390, height: 844, path })
  await verify(page, 'WC-10505')
  await page.getByRole('radio', { name: /2 – 8 pm/ }).check()
  // The cut-off passes while the customer writes a note.
  await api.fixture.setClock(Date.parse('2026-11-24T13:30:00+11:00'))
  await page.getByRole('button', { name: 'Deliver it today, 2 – 8 pm' }).click()
  await page
    .getByRole('alert')
    .getByText('That time is no longer available. Please choose another one.')
    .waitFor()
  await page.getByText('Tomorrow, Wednesday 25 November').waitFor()
  await page.getByRole('button', { name: 'Choose a time' }).waitFor()
  await looksRight(page, 'book-changed')
  assert.equal((await api.call('GET /demo/deliveries/WC-10505')).status, 404)

  const tomorrow = page.getByRole('group', { name: /^Tomorrow/ })
  await tomorrow.getByRole('radio', { name: /2 – 8 pm/ }).check()
  assert.equal(await page.getByText('is no longer available').count(), 0)
  await page.getByRole('button', { name: 'Deliver it tomorrow, 2 – 8 pm' }).click()
  await page.getByText('It comes tomorrow,').waitFor()
  const { data } = (await api.call('GET /demo/deliveries/WC-10505')).json
  assert.equal(data.from_datetime, '2026-11-25T14:00:00+11:00')
})

test('a locked, revoked, expired or unknown link says so and whom to contact, and nothing more', {
  skip,
}, async (t: TestContext) => {
  const pages = await openPages(t, { work: false }, ['book', 'track'])
  const { api } = pages
  const locked = await linkOf(pages, { reference: 'WC-1' })
  const revoked = await linkOf(pages, { reference: 'WC-2' })
  const nasty = `<img src=x onerror="document.title='run'">`
  const expired = await linkOf(pages, {
    reference: 'WC-3',
    expires_at: '2026-11-24T11:00:00+11:00',
    customer: { ...customer, first_name: nasty },
    line_items: [{ ...lineItem, name: nasty }],
  })
  await api.call(`DELETE /demo/links/${revoked.id}`)

  const page = await pages.visit({ width: 390, height: 844, path: locked.path })
  for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
    await verify(page, 'WRONG')
    await page.getByText(`${left} left.`).waitFor()
  }
  await verify(page, 'WRONG')
  await page.getByText('This link is locked').waitFor()
  await looksRight(page, 'book-locked')

  const open = await pages.visit({ width: 390, height: 844, path: expired.path })
  await verify(open, 'WC-3')
  await open.getByRole('heading', { name: /When should we deliver it/ }).waitFor()
  await open.getByRole('heading', { name: nasty }).waitFor()
  await open.getByRole('radio').first().check()
  assert.notEqual(await open.title(), 'run', 'customer input runs no script')
  await api.fixture.setClock(Date.parse('2026-11-24T11:00:01+11:00'))
  await open.getByRole('button', { name: /^Deliver it/ }).click()
  await open.getByText('This link has expired.').waitFor()

  for (const [path, words] of [
    [revoked.path, 'The store has withdrawn this link.'],
    [expired.path, 'This link has expired.'],
    [`/l/${'A'.repeat(32)}`, 'There is no such link.'],
  ] as const) {
    const response = await page.goto(pages.url + path)
    await page.getByRole('heading', { name: words }).waitFor()
    assert.ok([404, 410].includes(response?.status() ?? 0), `${words} has the HTTP status that fits its text`)
    const isOurs = path !== `/l/${'A'.repeat(32)}`
    assert.equal(await page.getByRole('link', { name: 'call Wattle & Co Fitzroy' }).count(), isOurs ? 1 : 0)
    assert.doesNotMatch(await page.content(), /WC-\d|Ada|Drummond/)
  }
  await looksRight(page, 'book-gone')
})
