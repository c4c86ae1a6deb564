import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, customer, lineItem, parcel } from '../api.ts'
import { ownDelivery } from '../driver.ts'
import { openPages, withoutBrowser } from './browser.ts'
import { tabTo } from './keyboard.ts'

const skip = withoutBrowser()
const { country: _, ...api } = address

test('with the keyboard alone, with the focus visible at every step', { skip }, async (t) => {
  const pages = await openPages(t, {}, ['book', 'track'])

  await t.test('a customer books a link and follows it', async () => {
    const body = {
      store_reference: 'fitzroy',
      reference: 'WC-10505',
      customer,
      address: api,
      line_items: [lineItem],
      parcels: [parcel],
    }
    const { json } = await pages.api.call('POST /demo/links', { body })
    const page = await pages.visit({ width: 390, height: 844, path: new URL(json.data.link).pathname })
    await page.getByRole('heading', { name: 'Which order is it?' }).waitFor()
    await tabTo(page, 'Order reference')
    await page.keyboard.type('WRONG')
    await page.keyboard.press('Enter')
    await page.getByText('4 tries left.').waitFor()
    // The field has the focus again: typing replaces the wrong value.
    await page.keyboard.press('Control+A')
    await page.keyboard.type('WC-10505')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /When should we deliver it/ }).waitFor()
    await page.getByRole('radio').first().waitFor()
    await tabTo(page, /am|pm/)
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    const chosen = page.getByRole('radio', { checked: true })
    assert.equal(await chosen.count(), 1)
    await tabTo(page, 'Leave it at the door')
    await page.keyboard.press('Space')
    await tabTo(page, 'A note for the courier')
    await page.keyboard.type('Ring twice.')
    await tabTo(page, /^ *Deliver it/)
    await page.keyboard.press('Enter')
    await page.getByText('Done, Ada.').waitFor()
    await tabTo(page, 'Track it')
    await page.keyboard.press('Enter')
    await page.getByText('Order WC-10505').waitFor()
    await page.getByText('Left at your door if you are out').waitFor()
    await page.context().close()
  })

  await t.test('a customer reads what happened and finds a contact', async () => {
    const delivery = await ownDelivery(pages.api, undefined, { reference: 'WC-10484' })
    const page = await pages.visit({ width: 390, height: 844, path: new URL(delivery.tracking_url).pathname })
    await page.getByText('What happened so far').waitFor()
    await tabTo(page, 'What happened so far')
    await page.keyboard.press('Enter')
    await page.locator('details[open] time').first().waitFor()
    await tabTo(page, 'Call Fitzroy')
    await page.context().close()
  })
})
