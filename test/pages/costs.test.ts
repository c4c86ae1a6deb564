import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { lookAt, openPages, withoutBrowser } from './browser.ts'
import { endDeliveries, seeOctober } from './ended-deliveries.ts'
import { byMouse } from './hands.ts'
import { OWNER_TASKS } from './owner-tasks.ts'
import { logIn } from './shop-day.ts'

const OCTOBER_CENTS = 790 + 123_456 + 790

test('costs by month', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await endDeliveries(pages)

  await t.test('last month’s costs are two presses from the first page', async () => {
    const page = await pages.visit({ path: '/portal' })
    await logIn(page, 'merchant_admin')
    const hands = byMouse(page)
    await OWNER_TASKS.seeCosts.run(page, hands)
    assert.equal(hands.presses(), 2)
    await lookAt(page, 'costs-by-month')
    await page.context().close()
  })

  await t.test('on a phone, too', async () => {
    const page = await pages.visit({ path: '/portal', width: 360, height: 800 })
    await logIn(page, 'merchant_admin')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Last month’s costs' }).click()
    await seeOctober(page)
    await page.context().close()
  })

  await t.test('totals are by carrier, service, store and week, each with its sum', async () => {
    const page = await pages.visit({ path: '/portal/insights?month=2026-10' })
    await logIn(page, 'merchant_admin')
    const costs = page.getByRole('region', { name: 'What did your deliveries cost?', exact: true })
    const rows = async (grouping: string) => {
      await costs.getByRole('button', { name: grouping, exact: true }).click()
      await costs.getByRole('columnheader', { name: grouping, exact: true }).waitFor()
      const lines = await costs.getByRole('row').all()
      return Promise.all(
        lines.slice(1).map(async (line) => (await line.locator('th, td').allTextContents()).join(' | ')),
      )
    }
    const total = 'Total | 4 | $416.79 | $1,250.36 | $20.00 | + $1,230.36'
    assert.deepEqual(await rows('Carrier'), [
      'Swiftly | 3 | $416.79 | $1,250.36 | $20.00 | + $1,230.36',
      'Own couriers | 1 | No charge | $0.00 | $0.00 | no change',
      total,
    ])
    assert.deepEqual(await rows('Service'), [
      'Swiftly TODAY | 3 | $416.79 | $1,250.36 | $20.00 | + $1,230.36',
      'Own couriers | 1 | No charge | $0.00 | $0.00 | no change',
      total,
    ])
    assert.deepEqual(await rows('Store'), [
      'Melbourne CBD | 4 | $416.79 | $1,250.36 | $20.00 | + $1,230.36',
      total,
    ])
    assert.deepEqual(await rows('Week'), [
      '1 Oct to 4 Oct | 1 | $7.90 | $7.90',
      '12 Oct to 18 Oct | 2 | $1,234.56 | $1,234.56',
      '26 Oct to 31 Oct | 1 | $7.90 | $7.90',
      'Total | 4 | $416.79 | $1,250.36',
    ])
    await costs.getByText('The average leaves out the 1 delivery that your own couriers made').waitFor()
    await lookAt(page, 'costs-by-week')

    const names = page.getByRole('region', { name: 'Cancelled and lost', exact: true })
    await names.getByRole('row', { name: 'OCT-gone Cancelled Swiftly TODAY $7.90' }).waitFor()
    await names.getByRole('row', { name: 'OCT-lost Lost Swiftly TODAY $7.90' }).waitFor()
    await page.context().close()
  })

  await t.test('the file of the month adds up to its total', async () => {
    const page = await pages.visit({ path: '/portal/insights?month=last' })
    await logIn(page, 'merchant_admin')
    await seeOctober(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    assert.equal(file.suggestedFilename(), 'costs-2026-10-01-2026-10-31.csv')
    const text = await readFile(await file.path(), 'utf8')
    const [head = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    assert.equal(rows.length, 6)
    const charged = rows.map((row) => Math.round(Number(row[head.indexOf('Charged')]) * 100))
    assert.equal(
      charged.reduce((sum, cents) => sum + cents, 0),
      OCTOBER_CENTS,
    )
    await page.context().close()
  })

  await t.test('other months and dates are chosen, and dates in the wrong order are named', async () => {
    const page = await pages.visit({ path: '/portal/insights' })
    await logIn(page, 'merchant_admin')
    await page.getByText('1 delivery cost $10.00 incl. GST in November so far').waitFor()
    const period = page.getByRole('combobox', { name: 'Period' })
    await period.click()
    await page.getByRole('option', { name: 'September 2026' }).click()
    await page.getByText('1 delivery cost $20.00 incl. GST in September').waitFor()
    await period.click()
    await page.getByRole('option', { name: 'Choose dates' }).click()
    await page.getByLabel('Last day').fill('2026-10-15')
    await page.getByLabel('First day').fill('2026-10-02')
    await page.getByText('2 deliveries cost $1,234.56 incl. GST from 2 Oct to 15 Oct').waitFor()
    await page.getByLabel('First day').fill('2026-10-16')
    await page.getByRole('alert').getByText('The first day is after the last day.').waitFor()
    await lookAt(page, 'costs-of-dates')
    await page.reload()
    await page.getByRole('alert').getByText('The first day is after the last day.').waitFor()
    await page.context().close()
  })
})
