import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Api } from '../api.ts'
import { codeFor, driverApi, ownDelivery, SAM } from '../driver.ts'
import { until } from '../wait-until.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { doorPhoto } from './door-photo.ts'
import { driverLogIn, PHONE } from './driver-log-in.ts'
import { inEveryLook } from './looks.ts'

/** Adds Sam as a driver of Acme, too; returns where codes from Acme are found. */
async function addAcmesDriver(api: Api) {
  const token = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const [store] = (await api.call('GET /acme-byoc/stores', { token })).json.data
  const body = { store_reference: store.reference, phone: SAM, driver_name: 'Sam' }
  assert.equal((await api.call('POST /acme-byoc/staff-couriers', { body, token })).status, 201)
  return { accountId: 'acme-byoc', call: { token } }
}

test('a driver of two businesses enters the code of each, at login or at the first job of the other', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api, visit } = pages
  const acmes = await addAcmesDriver(api)
  await ownDelivery(api)
  const link = await until(async () => {
    const { json } = await api.call('GET /demo/messages?kind=sms')
    return /\/driver\/(jobs\/[\w-]{43})/.exec(json.data[0].text)?.[1] ?? null
  })

  const page = await visit({ ...PHONE, path: '/driver' })
  await page.getByLabel('Your mobile number').fill('0491 570 156')
  await page.keyboard.press('Enter')
  await page.getByLabel('Six digits').waitFor()
  await page.getByLabel('Six digits').fill(await codeFor(api, SAM, acmes))
  await page.getByRole('button', { name: 'I got another code' }).press('Enter')
  await inEveryLook(page, 'driver-two-codes')
  const right = await codeFor(api, SAM)
  await page.getByLabel('Six digits, code 2').fill(String((Number(right) + 1) % 1_000_000).padStart(6, '0'))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('The code is wrong').waitFor()
  await page.getByText('That’s right.').waitFor()
  await page.getByLabel('Six digits, code 2').fill(right)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Fitzroy to Carlton' }).waitFor()

  const other = await visit({ ...PHONE, path: '/driver' })
  await other.getByLabel('Your mobile number').fill('0491 570 156')
  await api.fixture.deps.db.query('delete from messages')
  await other.getByRole('button', { name: 'Send me a code' }).click()
  await other.getByLabel('Six digits').waitFor()
  await other.getByLabel('Six digits').fill(await codeFor(api, SAM, acmes))
  await other.getByRole('button', { name: 'Log in' }).click()
  await other.getByText('Nothing to do.').waitFor()
  await other.evaluate(`location.hash = '#/${link}'`)
  await other.getByText('We can’t find the job from your SMS.').waitFor()
  await inEveryLook(other, 'driver-job-missing')
  await other.getByRole('link', { name: 'Enter its code' }).press('Enter')
  assert.equal(
    await other.getByLabel('Your mobile number').inputValue(),
    '0491 570 156',
    'the driver types their number once',
  )
  await inEveryLook(other, 'driver-add-business')
  await other.getByRole('button', { name: 'Send me a code' }).click()
  await other.getByLabel('Six digits').waitFor()
  await other.getByLabel('Six digits').fill(await codeFor(api, SAM))
  await other.getByRole('button', { name: 'Log in' }).click()
  await other.getByRole('heading', { name: 'Fitzroy to Carlton' }).waitFor()
})

test('a proof for a business that the driver is not logged in to stays on the phone until they log in to it', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api } = pages
  const acmes = await addAcmesDriver(api)
  const { id } = await ownDelivery(api, SAM, { authority_to_leave: true })
  const sam = await driverApi(api, SAM)
  const [{ id: job }] = (await sam.call('GET /driver/jobs')).json.data
  for (const step of ['accept', 'approach', 'collect']) {
    const { status, text } = await sam.call(`POST /driver/jobs/${job}/${step}`, { body: {} })
    assert.equal(status, 200, text)
  }

  await api.fixture.deps.db.query('delete from messages')
  const page = await driverLogIn(pages)
  const secondTab = await page.context().newPage()
  await secondTab.goto(page.url())
  await page.getByRole('link', { name: /Deliver 1 parcel/ }).click()
  await page.context().setOffline(true)
  await page.getByText('No signal since').waitFor()
  await page.getByRole('button', { name: 'I am here' }).click()
  await page
    .getByLabel('Take a photo')
    .setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: doorPhoto() })
  await page.getByRole('button', { name: 'Delivered' }).click()
  await page.getByText('1 waiting.').waitFor()
  await secondTab.reload()
  await secondTab.getByText('1 waiting.').waitFor()
  await api.fixture.deps.db.query('delete from driver_sessions')
  await api.fixture.deps.db.query('delete from messages')
  await page.context().setOffline(false)

  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.getByText('1 still on this phone').waitFor()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Six digits').waitFor()
  await page.getByLabel('Six digits').fill(await codeFor(api, SAM, acmes))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('add that business, and we’ll send this again').waitFor()
  await inEveryLook(page, 'driver-unsent')
  await page.reload()
  await page.getByRole('alert').getByText('add that business, and we’ll send this again').waitFor()

  await page.getByRole('link', { name: 'Add a business' }).click()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Six digits').waitFor()
  await page.getByLabel('Six digits').fill(await codeFor(api, SAM))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Nothing to do.').waitFor()
  await until(async () => {
    const { json } = await api.call(`GET /demo/deliveries/${id}`)
    return json.data.status === 'delivered'
  }, 'the proof is sent')
  assert.equal(await page.getByRole('alert').count(), 0)
  await secondTab.getByText('Nothing to do.').waitFor()
})
