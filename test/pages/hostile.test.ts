import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { toText } from '../../web/portal/account/document/document-text.ts'
import { customer, lineItem, parcel } from '../api.ts'
import { driverApi, SAM } from '../driver.ts'
import { until } from '../wait-until.ts'
import { openPages, type Pages, withoutBrowser } from './browser.ts'
import { driverLogIn } from './driver-log-in.ts'
import { logIn, partnerLogIn } from './shop-day.ts'
import { writeDocument } from './write-document.ts'

/** Hostile input from merchants, customers, drivers and carriers. Each text would change the page if it ran as code. */
const RUN = 'globalThis.ran=1'
const NASTY = [
  `"'><img src=x onerror=${RUN}>`,
  `</script><script>${RUN}</script>`,
  `</textarea></title></style><svg onload=${RUN}>`,
  `javascript:${RUN}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  '\u202Ednuor yaw gnorw',
].join(' ')
/** The API rejects requests with an invisible character in them. */
const IN_REQUESTS = NASTY.replaceAll('\u202E', '')
/** The part that every page shows as it was typed. */
const SEEN = '<img src=x onerror='

test('no input of any kind runs as script on any page', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal', 'driver', 'track', 'book'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await nameEverything(pages)
  const made = await makeAll(pages)

  await t.test('pages of the store and the account', async () => {
    const page = await pages.visit()
    await logIn(page, 'merchant_admin')
    // By now, all stores have the same name.
    await page.evaluate(`localStorage.setItem('drover-store', 'fitzroy')`)
    const search = encodeURIComponent(NASTY.slice(0, 100))
    for (const [path, there = SEEN] of [
      ['today'],
      ['deliveries'],
      [`deliveries?q=${search}&status=${search}&manifest=${search}`],
      [`today?carrier=${search}&state=${search}`],
      [`deliveries/${made.carried}`],
      [`deliveries/${made.own}`],
      [`deliveries/${made.waiting}/amend`],
      ['new'],
      ['manifest'],
      ['manifests'],
      ['couriers'],
      ['links'],
      ['insights', 'No deliveries ended'],
      ['account/users'],
      ['account/carriers'],
      ['account/clients'],
      ['account/messages'],
      ['account/audit'],
      ['settings/stores'],
      ['settings/stores/fitzroy'],
      ['settings/brands', 'Brands'],
      ['settings/carriers'],
      ['settings/prices'],
      ['settings/bookings', 'Bookings'],
      ['settings/messages', 'Messages'],
      ['settings/history', 'History'],
    ]) {
      await page.goto(`${pages.url}/portal/${path}`)
      await shows(page, path ?? '', there)
    }
    await page.goto(`${pages.url}/portal/account/webhooks`)
    await page.getByRole('button', { name: 'Show attempts' }).click()
    await page.getByRole('cell', { name: SEEN }).first().waitFor()
    await ranNothing(page, 'attempts')
    await page.context().close()
  })

  await t.test('pages of the partner', async () => {
    const page = await partnerLogIn(pages, SEEN)
    for (const path of ['account', 'account/sandbox']) {
      await page.goto(`${pages.url}/portal/${path}`)
      await shows(page, path)
    }
    await page.goto(`${pages.url}/portal/account`)
    const text = toText((await pages.api.operator('GET /admin/accounts/demo')).json)
    await writeDocument(page, text.replace('lead_minutes: 60', 'lead_minutes: 50'))
    await page.getByRole('button', { name: 'Plan' }).click()
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
    await ranNothing(page, 'plan')
    await page.context().close()
  })

  await t.test('pages of the driver', async () => {
    const page = await driverLogIn(pages)
    await shows(page, 'round')
    await page.locator('.round a').first().click()
    await page.getByRole('button', { name: 'I am here' }).waitFor()
    await shows(page, 'stop')
    await page.goto(`${pages.url}/driver#/${encodeURIComponent(NASTY)}/${encodeURIComponent(NASTY)}`)
    await page.getByRole('heading', { name: 'Your jobs' }).waitFor()
    await ranNothing(page, 'a crafted address in the driver’s app')
    await page.context().close()
  })

  await t.test('pages of the customer', async () => {
    const page = await pages.visit({ path: made.tracking })
    await shows(page, 'tracking')
    await page.goto(pages.url + made.link)
    await shows(page, 'a link')
    await page.getByLabel('Order reference').fill(made.linkReference)
    await page.getByRole('button', { name: 'See my order' }).click()
    await page.getByRole('heading', { name: /When should we deliver it/ }).waitFor()
    await shows(page, 'a choice')
    await page.getByRole('radio').first().check()
    await page.getByLabel('A note for the courier').fill(IN_REQUESTS.slice(0, 250))
    await page.getByRole('button', { name: /^Deliver it/ }).click()
    await page.getByText(/^Done, /).waitFor()
    await shows(page, 'the booking')
    const strange = encodeURIComponent(NASTY.slice(0, 60))
    for (const path of [
      `/track/${strange}`,
      `/l/${strange}`,
      `/portal/${strange}`,
      `/portal/welcome#${strange}`,
    ]) {
      await page.goto(pages.url + path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await ranNothing(page, path)
    }
    await page.context().close()
  })
})

/** The page shows the text as it was typed, and did not parse it. */
async function shows(page: Page, name: string, there = SEEN): Promise<void> {
  const main = page.getByRole('main')
  const found = main.getByText(there)
  await until(async () => (await found.count()) > 0, `${name} shows the input`)
  await ranNothing(page, name)
}

async function ranNothing(page: Page, name: string): Promise<void> {
  assert.equal(await page.evaluate('globalThis.ran'), undefined, name)
  assert.equal(await page.locator('img[src="x"], svg[onload], body script:not([src])').count(), 0, name)
  assert.equal(await page.locator('a[href^="javascript:"]').count(), 0, name)
}

/** The account itself: its brand, its stores and carriers. */
async function nameEverything({ api }: Pages): Promise<void> {
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const line = NASTY.slice(0, 60)
  document.name = line
  for (const one of [...document.brands, ...document.stores, ...document.carriers]) one.name = line
  const { status, text } = await api.operator('PUT /admin/accounts/demo', { body: document })
  assert.equal(status, 200, text)
}

/**
 * A delivery of each kind with every free-text field, a link, a webhook endpoint, a client, users; and carriers'
 * texts.
 */
async function makeAll({ api }: Pages) {
  const { db } = api.fixture.deps
  const create = async (reference: string, over: object) => {
    const made = order(reference)
    const address = { ...made.address, country: 'AU' }
    const ready = { ready_for_pickup_at: '2026-11-24T11:30:00+11:00' }
    const notes = { special_instructions: IN_REQUESTS, pickup_instructions: IN_REQUESTS }
    const body = { ...made, address, ...ready, ...notes, ...over }
    const { status, json, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
    return json.data
  }
  await api.call('POST /demo/staff-couriers', {
    body: { store_reference: 'fitzroy', phone: '0491 570 158', driver_name: NASTY.slice(0, 200) },
  })
  const carried = await create('A', { book_delivery_now: true, delivery_type: 'standard' })
  const waiting = await create('B', {})
  const staff_courier = { phone: SAM, driver_name: NASTY.slice(0, 200) }
  const own = await create('C', { use_staff_couriers: true, staff_courier })
  const sam = await driverApi(api, SAM)
  for (const step of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${own.id}/${step}`)
  await sam.call(`POST /driver/jobs/${own.id}/fail`, {
    body: { reason: 'nobody_home', note: IN_REQUESTS.slice(0, 300) },
  })

  const linkBody = order('D')
  const { json: link, text } = await api.call('POST /demo/links', { body: linkBody })
  assert.ok(link.data, text)
  const { json: client } = await api.operator('POST /admin/accounts/demo/clients', {
    body: { name: NASTY.slice(0, 100), scopes: ['quotes'] },
  })
  assert.ok(client.data)
  const { json: endpoint } = await api.call('POST /demo/webhook-endpoints', {
    body: { url: `https://hooks.example.com/?${encodeURIComponent(NASTY)}` },
  })
  await db.query(
    `insert into webhook_attempts (account_id, endpoint_id, event_id, type, number, at, duration_ms, outcome, status, response_excerpt)
     values ('demo', $1, 'evt_x', $2, 1, now(), 5, 'failed', 500, $2)`,
    [endpoint.data.id, NASTY],
  )
  await db.query(`update users set name = $1 where role <> 'operator'`, [NASTY])
  // A carrier's consignment numbers and messages can hold any text, like customers' input.
  await db.query(`update deliveries set status_reason = $1 where account_id = 'demo'`, [NASTY])
  await db.query(`update deliveries set consignment_number = $1 where delivery_id = $2`, [NASTY, carried.id])
  return {
    carried: carried.id,
    waiting: waiting.id,
    own: own.id,
    tracking: new URL(own.tracking_url).pathname,
    link: new URL(link.data.link).pathname,
    linkReference: linkBody.reference,
  }
}

/** The fields of a link; a delivery has more. */
function order(mark: string) {
  const line = NASTY.slice(0, 200)
  return {
    store_reference: 'fitzroy',
    reference: `${mark} ${NASTY.slice(0, 90)}`,
    address: {
      address: line,
      address2: line,
      company_name: line,
      city: 'Carlton',
      state: 'VIC',
      post_code: '3053',
    },
    customer: { ...customer, first_name: NASTY.slice(0, 90), last_name: NASTY.slice(0, 90) },
    line_items: [{ ...lineItem, code: line.slice(0, 100), name: line }],
    parcels: [{ ...parcel, reference: NASTY.slice(0, 90), description: line }],
  }
}
