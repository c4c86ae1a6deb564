import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { codeFor, ownDelivery, SAM } from '../driver.ts'
import { until } from '../wait-until.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { PHONE } from './driver-log-in.ts'
import { inEveryLook } from './looks.ts'

test('a driver of two businesses enters the code of each, at login or at the first job of the other', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const pages = await openPages(t, {}, ['driver'])
  const { api, visit } = pages
  const acme = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const [store] = (await api.call('GET /acme-byoc/stores', { token: acme })).json.data
  const body = { store_reference: store.reference, phone: SAM, driver_name: 'Sam' }
  assert.equal((await api.call('POST /acme-byoc/staff-couriers', { body, token: acme })).status, 201)
  const acmes = { accountId: 'acme-byoc', call: { token: acme } }
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
