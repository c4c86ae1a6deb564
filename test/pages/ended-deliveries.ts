import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { deliveryBody } from '../api.ts'
import type { Pages } from './browser.ts'

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

/** Creates and ends the deliveries directly, as their carriers would: the test is about the money. */
export async function endDeliveries({ api }: Pages): Promise<void> {
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

/** The sentence of the month before, and the average. */
export async function seeOctober(page: Page): Promise<void> {
  await page
    .getByText('4 deliveries cost $1,250.36 incl. GST in October: $1,230.36 more than in September ($20.00).')
    .waitFor()
  await page.getByText('3 arrived early, 0 arrived late and 1 came back.').waitFor()
  await page.getByText('On average, carriers charged $416.79 per delivery').waitFor()
}
