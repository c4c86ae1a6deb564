import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extraBooking } from '../extra-booking.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { atFitzroy, shopDay } from './shop-day.ts'

test('a clerk records extra bookings as cancelled by phone, one by one', {
  skip: withoutBrowser(),
}, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await shopDay(pages)
  const { api } = pages
  const { id, carrier_provider: carrier } = (await api.call('GET /demo/deliveries/WC-10473')).json.data
  for (const number of ['XB-101', 'XB-102']) await extraBooking(api, id, number)

  const page = await atFitzroy(pages)
  const row = page.locator('.row', { hasText: 'WC-10473' })
  await row.getByText('Booked twice').waitFor()
  await row.getByRole('link', { name: 'Open, WC-10473' }).click()
  await page.getByText('Booked twice').waitFor()
  const press = page.getByRole('button', { name: 'Mark extra booking as cancelled' })
  const send = page.getByRole('button', { name: `${carrier} has cancelled it` })
  await lookAt(page, 'extra-booking')

  await press.click()
  await page
    .getByText(`Ring ${carrier} first. Once they confirm that consignment XB-101 is cancelled`)
    .waitFor()
  await page.getByRole('combobox', { name: 'Extra booking' }).click()
  await page.getByRole('option', { name: 'XB-102' }).click()
  await page.getByText('consignment XB-102 is cancelled').waitFor()
  await page.getByLabel('Who confirmed the cancellation?').fill('Priya in their dispatch')
  await lookAt(page, 'extra-booking-asked')
  await send.click()
  await page.getByText(`${carrier} has cancelled the extra booking XB-102. Priya in their dispatch`).waitFor()
  const { attention } = (await api.call('GET /demo/deliveries/WC-10473')).json.data
  assert.match(attention, /XB-101/)
  assert.doesNotMatch(attention, /XB-102/)

  await press.click()
  await page.getByText('consignment XB-101 is cancelled').waitFor()
  assert.equal(
    await page.getByRole('combobox', { name: 'Extra booking' }).count(),
    0,
    'with one extra booking left there is no choice',
  )
  await page.getByLabel('Who confirmed the cancellation?').fill('Their driver')
  await send.click()
  await page.getByText('Their driver confirmed it').waitFor()
  await press.waitFor({ state: 'detached' })
  assert.equal((await api.call('GET /demo/deliveries/WC-10473')).json.data.attention, undefined)
  await lookAt(page, 'extra-booking-closed')
})
