import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { deliveryBody } from '../api.ts'
import { until } from '../wait-until.ts'
import { openPages, type Pages, withoutBrowser } from './browser.ts'
import { chooseStore, logIn } from './shop-day.ts'

/** With `npm run scrolls`, the daily number of the largest shop; fewer in `npm test`. */
const MANY = Number(process.env.DELIVERIES ?? 600)
/**
 * Rows of 38 px on a screen of 900 px, with its margins and a step at each end. A list without virtual rows would
 * render all rows.
 */
const MAX_DRAWN = 90

test('lists of thousands of deliveries', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, { work: false }, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await copies(pages)
  const page = await pages.visit({ path: '/portal/deliveries' })
  await logIn(page, 'store_clerk')
  await chooseStore(page, 'Fitzroy')
  const all = (MANY + 1).toLocaleString('en-AU')
  const drawn = () => page.locator('[data-id]').count()

  await t.test('all days: the list scrolls to its end and renders few rows at a time', async () => {
    const startMs = performance.now()
    await page.reload()
    await page.getByText(/^\d00 deliveries shown/).waitFor()
    console.log(
      `deliveries: shown ${Math.round(performance.now() - startMs)} ms after the page was requested`,
    )
    const frames = await framesOfScrolling(page)
    const known = page.getByText(`${all} deliveries`, { exact: true })
    const below = 'document.documentElement.scrollHeight - innerHeight - scrollY'
    let max = 0
    do {
      await page.mouse.wheel(0, 9_000)
      max = Math.max(max, await drawn())
    } while ((await known.count()) === 0 || (await page.evaluate<number>(below)) > 1)
    await page.getByRole('link', { name: 'MANY-00001', exact: true }).waitFor()
    assert.ok(max > 10 && max <= MAX_DRAWN, `${max} rows drawn at most`)
    console.log(`deliveries: ${max} rows drawn at most, ${frames}`)
    await page.keyboard.press('k')
    await page.locator('[data-id]:focus-within').waitFor()
  })

  await t.test('one day: the same, and an update shows without loading the whole list again', async () => {
    await page.getByRole('link', { name: 'Today', exact: true }).first().click()
    await page.getByText(`${all} waiting`).waitFor()
    console.log(`today: ${await framesOfScrolling(page)}`)
    assert.ok((await drawn()) <= MAX_DRAWN)

    const row = page.locator('.row', { hasText: /MANY-\d{5}/ }).nth(40)
    let reference = ''
    await until(async () => {
      const before = reference
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      reference = /MANY-\d{5}/.exec((await row.textContent()) ?? '')?.[0] ?? ''
      return reference === before
    }, 'the list stops moving')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await pages.api.call(`PATCH /demo/deliveries/${reference}/request-cancel`)
    await page.locator('.row', { hasText: reference }).getByText('Cancelled').waitFor()
    assert.ok(!asked.includes('/demo/deliveries'), 'the whole list is not loaded again')
  })
})

/** Creates one delivery by the API and copies it into many that wait for their booking; the last one is the newest. */
async function copies({ api }: Pages): Promise<void> {
  const { json, text, status } = await api.call('POST /demo/deliveries', {
    body: deliveryBody({
      store_reference: 'fitzroy',
      reference: 'MANY',
      ready_for_pickup_at: '2026-11-24T16:00:00',
    }),
  })
  assert.equal(status, 201, text)
  await api.fixture.deps.db.query(
    `insert into deliveries
     select (jsonb_populate_record(d, jsonb_build_object(
       'delivery_id', left(d.delivery_id, 14) || lpad(n::text, 16, '0'),
       'reference', 'MANY-' || lpad(n::text, 5, '0')))).*
     from deliveries d, generate_series(1, $2) n where d.delivery_id = $1`,
    [json.data.id, MANY],
  )
}

/** Scrolls with the wheel. Frames are counted and printed, not asserted: their rate depends on the machine. */
async function framesOfScrolling(page: Page): Promise<string> {
  await page.locator('[data-id]').first().hover()
  await page.evaluate(`{
    globalThis.frames = []
    let before = performance.now()
    const frame = (now) => { frames.push(now - before); before = now; requestAnimationFrame(frame) }
    requestAnimationFrame(frame)
  }`)
  for (let turns = 0; turns < 40; turns++) await page.mouse.wheel(0, 500)
  const times = (await page.evaluate<number[]>('frames')).toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)
  return `${times.length} frames, half within ${at(0.5)} ms, 95 % within ${at(0.95)} ms, the slowest ${at(1)} ms`
}
