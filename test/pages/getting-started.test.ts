import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setAccountClock } from '../../src/operations/accounts/account-clock.ts'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { TUESDAY_TEN_MS } from '../fixture.ts'
import { OPERATOR_USER, person } from '../people.ts'
import { until } from '../wait-until.ts'
import { assertAccessible, lookAt, openPages, picture, withoutBrowser } from './browser.ts'
import { counted } from './count-presses.ts'

/** All that the partner types: no store, brand, delivery type or carrier. */
const EMPTY = {
  tenant_id: 'wren',
  name: 'Wren Homewares',
  mode: 'sandbox',
  time_zone: 'Australia/Melbourne',
  owner_grants: ['carriers', 'delivery_types'],
  brands: [],
  stores: [],
  delivery_types: {},
}

test('an owner takes an empty account to a printed label', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  const { api } = pages
  const put = await api.operator('PUT /admin/accounts/wren', { body: EMPTY })
  assert.ok(put.status < 300, put.text)
  await setAccountClock(api.fixture.deps, 'wren', TUESDAY_TEN_MS)
  await ensureDemoUsers(api.fixture.deps)
  const partner = await person(api, OPERATOR_USER)
  const body = { email: 'robin@wren.example', role: 'merchant_admin', password: OPERATOR_USER.password }
  const invited = await partner.call('POST /wren/users', { body })
  assert.equal(invited.status, 201, invited.text)
  const { hash } = new URL(invited.json.data.invitation_url)

  const page = await pages.visit({ path: `/portal/welcome${hash}` })
  const { press, presses } = counted(page)
  let chosen = 0
  await page.getByLabel('Your name').fill('Robin Wren')
  await page.getByLabel('Password', { exact: true }).fill('a nest of twigs and wool')
  await press('button', 'Get started')
  const step = (name: string) => page.getByRole('listitem', { name })
  const back = async () => {
    await press('link', 'Getting started')
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
  }

  await t.test('nothing is done yet; every page leads to the steps', async () => {
    await page.getByText('5 steps to go.').waitFor()
    await lookAt(page, 'start-empty')
    await page.goto(`${pages.url}/portal/deliveries`)
    await step('Add a store: not done yet').waitFor()
  })

  await t.test('the first store', async () => {
    await press('link', 'Go to Stores')
    await page.getByText('No stores yet.').waitFor()
    await press('button', 'Add a store')
    const dialog = page.getByRole('dialog', { name: 'Add a store' })
    await dialog.getByLabel('Name').fill('Carlton')
    await dialog.getByLabel('Street address').fill('200 Lygon Street')
    await dialog.getByLabel('Suburb').fill('Carlton')
    await dialog.getByLabel('Postcode').fill('3053')
    await lookAt(page, 'start-first-store')
    await press('button', 'Add')
    await press('button', 'Review')
    await page.getByText('Carlton is added.').waitFor()
    await press('button', 'Apply')
    await page.getByText('Applied.').waitFor()
    await back()
    await step('Add a store: done').waitFor()
  })

  await t.test('a practice carrier brings its delivery types', async () => {
    await press('link', 'Go to Carriers')
    await press('button', 'Add a carrier')
    const dialog = page.getByRole('dialog', { name: 'Add a carrier' })
    const carrier = dialog.getByRole('combobox', { name: 'Carrier' })
    await carrier.fill('Southern')
    await page.getByRole('option', { name: 'Southern Parcels' }).waitFor()
    await carrier.press('ArrowDown')
    await carrier.press('Enter')
    chosen += 2
    await dialog.getByLabel('Price per delivery, incl. GST').fill('11.50')
    await press('button', 'Add')
    await page.getByRole('heading', { name: 'Southern Parcels' }).waitFor()
    await press('button', 'Review')
    await page.getByText('Southern Parcels is added.').waitFor()
    await press('button', 'Apply')
    await page.getByText('Applied.').waitFor()
    await back()
    await step('Add a carrier: done').waitFor()
  })

  await t.test('a test delivery is booked, and its label printed', async () => {
    await press('link', 'Create a delivery')
    for (const [label, value] of [
      ['Order number', 'TEST-1'],
      ['First name', 'Ada'],
      ['Last name', 'Nguyen'],
      ['Phone', '0491 570 156'],
      ['Email', 'ada@example.com'],
      ['Street address', '12 Drummond Street'],
      ['Postcode', '3065'],
      ['Length, cm', '30'],
      ['Width, cm', '20'],
      ['Height, cm', '10'],
      ['Weight, kg', '2.5'],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByRole('combobox', { name: 'Suburb' }).fill('Fitzroy')
    await page.getByText('$11.50').first().waitFor()
    await press('checkbox', /^Book now/)
    await press('button', /^Create and book/)
    const print = page.getByRole('button', { name: /^Print/ })
    await until(() => print.isEnabled(), 'the label can be printed')
    const opened = page.context().waitForEvent('page')
    await press('button', /^Print/)
    await opened
    // The label was fetched: the step is done whatever is answered.
    await press('button', /^No/)
    await back()
    await step('Create a test delivery: done').waitFor()
    await step('Print a label: done').waitFor()
    await page.getByText('1 step to go.').waitFor()
    assert.ok(presses() + chosen <= 40, `${presses() + chosen} presses`)
    t.diagnostic(`${presses() + chosen} presses from the invitation to the printed label`)
    await lookAt(page, 'start-one-left')
    // The link makes the header longer; a long store name longer still.
    const band = page.locator('.band')
    await band.locator('.store').evaluate((name) => {
      name.textContent = 'Melbourne Central'
    })
    for (const width of [1041, 1201, 1280, 1401]) {
      await page.setViewportSize({ width, height: 800 })
      const right = await band.evaluate((el) =>
        Math.max(...[...el.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right)),
      )
      assert.ok(right <= width, `at ${width} px the header reaches to ${right}`)
      await assertAccessible(page, `Getting started at ${width} px`)
      await picture(page, `start-one-left-${width}`)
    }
  })

  await t.test('the document of the forms is byte for byte what account apply keeps', async () => {
    const { text, json } = await api.operator('GET /admin/accounts/wren')
    const { version } = (await api.operator('PUT /admin/accounts/wren', { body: json })).json.data
    assert.ok(version > 1)
    assert.equal((await api.operator('GET /admin/accounts/wren')).text, text)
    assert.deepEqual(json.brands, [{ reference: 'wren-homewares', name: 'Wren Homewares' }])
    assert.deepEqual(Object.keys(json.delivery_types), ['express', 'standard'])
    assert.equal(json.stores[0].reference, 'carlton')
  })

  await t.test('a demo day adds ten deliveries, and once only', async () => {
    await page.getByRole('button', { name: 'Add demo orders' }).click()
    await page.getByText('10 orders added.').waitFor()
    await page.getByRole('button', { name: 'Add demo orders' }).click()
    await page.getByText('You already have all the demo orders.').waitFor()
    const { json } = await partner.call('GET /wren/deliveries?limit=50')
    assert.equal(
      json.data.filter(({ reference }: { reference: string }) => /^DEMO-/.test(reference)).length,
      10,
    )
  })

  await t.test('the last step ticks once a shop listens; then the menu drops the link', async () => {
    const endpoint = { url: 'https://shop.example/hook' }
    assert.equal((await partner.call('POST /wren/webhook-endpoints', { body: endpoint })).status, 201)
    await page.reload()
    await page.getByText('All done. Your account is ready.').waitFor()
    await page.getByRole('link', { name: 'Getting started' }).waitFor({ state: 'detached' })
    await page.context().close()
  })
})
