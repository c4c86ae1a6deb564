import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody } from '../api.ts'
import { until } from '../wait-until.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'
import { logIn, shopDay } from './shop-day.ts'

test('an owner writes the messages that customers get', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  const { api } = pages
  const documentNow = async () => (await api.operator('GET /admin/accounts/demo')).json
  const before = await documentNow()
  const page = await pages.visit({ path: '/portal/settings/messages' })
  await logIn(page, 'merchant_admin')
  const text = page.getByLabel('Text', { exact: true })
  const preview = page.getByRole('region', { name: 'Preview' })
  const apply = async (sentence: string) => {
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText(sentence).waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied.').waitFor()
  }

  await t.test('the preview, the length and a wrong placeholder', async () => {
    await page.getByRole('heading', { name: 'SMS for “booked”' }).waitFor()
    await preview.getByText('Wattle & Co: WC-10471 arrives today, 2 - 4:30 pm. Track it:').waitFor()
    await preview.getByText(/of 160 characters, sent as 1 SMS message\./).waitFor()
    await inEveryLook(page, 'messages')
    await text.fill('✓ {{ordr}}')
    await page.getByText('Did you mean "order"?').waitFor()
    await preview.getByText('“✓” is not in the SMS alphabet.').waitFor()
    await page.getByText('This text has no link').waitFor()
    await lookAt(page, 'messages-mistake')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('We can’t apply your changes until you correct this mistake:').waitFor()
    assert.deepEqual(await documentNow(), before)
  })

  await t.test('a text with placeholders by button, a test of it, and the SMS of a delivery', async () => {
    await text.fill('G’day from us: '.replace('’', "'"))
    await page.getByRole('button', { name: 'order', exact: true }).click()
    await page.keyboard.type(' comes ')
    await page.getByRole('button', { name: 'window', exact: true }).click()
    await page.keyboard.type('. ')
    await page.getByRole('button', { name: 'link', exact: true }).click()
    const written = "G'day from us: {{order}} comes {{window}}. {{link}}"
    assert.equal(await text.inputValue(), written)
    await page.getByRole('button', { name: 'Send a test' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a test' })
    await dialog.getByLabel('Your mobile number').fill('03 9000 0000')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('We can’t send an SMS to this number.').waitFor()
    await dialog.getByLabel('Your mobile number').fill('0491 570 110')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('We’re sending the test to 0491 570 110.').waitFor()
    await lookAt(page, 'messages-test')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await apply('The SMS for “booked” changes.')
    assert.deepEqual((await documentNow()).message_texts, { en: { sms: { booked: written } } })

    const { json } = await api.call('POST /demo/deliveries', {
      body: deliveryBody({ book_delivery_now: true }),
    })
    const [sms] = await until(async () => {
      const query = `delivery_id=${json.data.id}&kind=sms`
      const { data } = (await api.call(`GET /demo/messages?${query}`)).json
      return data[0]?.text !== undefined && data
    })
    assert.match(sms.text, new RegExp(`^G'day from us: ${json.data.reference} comes .+\\. http.+/track/`))
  })

  await t.test('an email and a sentence of the tracking page; then ours again', async () => {
    await page.getByRole('button', { name: 'Reset to our wording' }).click()
    await apply('The SMS for “booked” goes back to our wording.')
    await page.getByRole('button', { name: 'Email', exact: true }).click()
    await page.getByLabel('Subject').fill('{{order}} is coming')
    await preview.getByText('WC-10471 is coming').waitFor()
    await lookAt(page, 'messages-email')
    await page.getByRole('button', { name: 'Tracking page' }).click()
    await page.getByRole('button', { name: 'Courier assigned', exact: true }).click()
    await text.fill('{{courier}} is bringing it.')
    await preview.getByText('Sam is bringing it.').waitFor()
    await lookAt(page, 'messages-tracking')
    await apply('The tracking page’s sentence for “courier assigned” changes.')
    const { email, tracking_page } = (await documentNow()).message_texts.en
    assert.deepEqual(email, { booked: { subject: '{{order}} is coming' } })
    assert.deepEqual(tracking_page, { assigned: '{{courier}} is bringing it.' })
  })
  await page.context().close()
})
