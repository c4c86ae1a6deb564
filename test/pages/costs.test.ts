import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { deliveryBody } from '../api.ts'
import { lookAt, openPages, type Pages, withoutBrowser } from './browser.ts'
import { logIn } from './shop-day.ts'

type Ended = { at: string; costCents?: number; status?: string; subStatus?: string; own?: true }

/** The clock stands at 24 November 2026. TODAY is quoted at $7.90. */
const ENDS: Readonly<Record<string, Ended>> = {
  'NOV-1': { at: '2026-11-24T09:00:00+11:00', costCents: 1_000 },
  'OCT-1': { at: '2026-10-01T00:00:00+10:00' },
  'OCT-2': { at: '2026-10-15T15:00:00+11:00', costCents: 123_456 },
  'OCT-3': { at: '2026-10-31T23:59:59+11:00', status: 'returned' },
  'OCT-own': { at: '2026-10-15T15:00:00+11:00', own: true },
  'OCT-gone': { at: '2026-10-15T15:00:00+11:00', status: 'cancelled' },
  'OCT-lost': { at: '2026-10-16T15:00:00+11:00', status: 'collected', subStatus: 'lost' },
  'SEP-1': { at: '2026-09-30T23:59:59+10:00', costCents: 2_000 },
}
const OCTOBER_CENTS = 790 + 123_456 + 790

test('costs by month', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, {}, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await endAll(pages)

  await t.test('last month’s costs are two presses from the first page', async () => {
    const page = await pages.visit({ path: '/portal' })
    await logIn(page, 'merchant_admin')
    await page.getByRole('link', { name: 'Insights' }).click()
    await page.getByRole('button', { name: 'Last month' }).click()
    await showsOctober(page)
    await lookAt(page, 'costs-by-month')
    await page.context().close()
  })

  await t.test('on a phone, too', async () => {
    const page = await pages.visit({ path: '/portal', width: 360, height: 800 })
    await logIn(page, 'merchant_admin')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Last month’s costs' }).click()
    await showsOctober(page)
    await page.context().close()
  })

  await t.test('totals are by carrier, service, store and week, each with its sum', async () => {
    const page = await pages.visit({ path: '/portal/insights?month=2026-10' })
    await logIn(page, 'merchant_admin')
    const costs = page.getByRole('region', { name: 'What did it cost?', exact: true })
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
      'Own couriers | 1 | No charge | $0.00 | $0.00 | the same',
      total,
    ])
    assert.deepEqual(await rows('Service'), [
      'Swiftly TODAY | 3 | $416.79 | $1,250.36 | $20.00 | + $1,230.36',
      'Own couriers | 1 | No charge | $0.00 | $0.00 | the same',
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
    await costs.getByText('Your own couriers made 1 delivery. Nobody charged for it').waitFor()
    await lookAt(page, 'costs-by-week')

    const names = page.getByRole('region', { name: 'Cancelled and lost', exact: true })
    await names.getByRole('row', { name: 'OCT-gone Cancelled Swiftly TODAY $7.90' }).waitFor()
    await names.getByRole('row', { name: 'OCT-lost Lost Swiftly TODAY $7.90' }).waitFor()
    await page.context().close()
  })

  await t.test('the file of the month adds up to its total', async () => {
    const page = await pages.visit({ path: '/portal/insights?month=last' })
    await logIn(page, 'merchant_admin')
    await showsOctober(page)
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

async function showsOctober(page: Page): Promise<void> {
  await page
    .getByText('4 deliveries cost $1,250.36 incl. GST in October: $1,230.36 more than in September ($20.00).')
    .waitFor()
  await page.getByText('The carriers charged $416.79 each').waitFor()
}

/** Creates and ends the deliveries directly, as their carriers would: the test is about the money. */
async function endAll({ api }: Pages): Promise<void> {
  for (const [reference, { at, status = 'delivered', ...over }] of Object.entries(ENDS)) {
    const promised = { delivery_type: 'flexible', ready_for_pickup_at: '2026-11-24T10:00:00' }
    const made = await api.call('POST /demo/deliveries', { body: deliveryBody({ reference, ...promised }) })
    assert.equal(made.status, 201, made.text)
    await api.fixture.deps.db.query(
      `update deliveries set status = $2, sub_status = $3, due_at = null, updated_at = $4, carrier_event_at = $4,
         chosen = case when $5 then null when $6::int is null then chosen
           else (chosen::jsonb || jsonb_build_object('costCents', $6::int))::json end
       where reference = $1`,
      [reference, status, over.subStatus ?? null, at, over.own ?? false, over.costCents ?? null],
    )
  }
}
