import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ensureDemoUsers } from '../../src/operations/people/demo-users.ts'
import { ADMIN } from '../people.ts'
import { attachAuthenticator } from './authenticator.ts'
import { assertAccessible, openPages, picture, withoutBrowser } from './browser.ts'
import { endDeliveries } from './ended-deliveries.ts'
import { logIn, partnerLogIn } from './shop-day.ts'

const WIDTHS = [1440, 1024, 820, 390] as const
/** The bars change at the widths between; axe takes a minute for each. `AXE=all` checks every width in both schemes. */
const CHECKED_IN: Readonly<Record<number, 'light' | 'dark'>> = { 1440: 'light', 390: 'dark' }

/** path, heading */
const PAGES = [
  ['/settings/stores', 'Stores'],
  ['/settings/stores/fitzroy', 'Fitzroy'],
  ['/settings/brands', 'Brands'],
  ['/settings/delivery-types', 'Delivery types'],
  ['/settings/boxes', 'Boxes'],
  ['/settings/dangerous-goods', 'Dangerous goods'],
  ['/settings/restricted-goods', 'Restricted goods'],
  ['/settings/carriers', 'Carriers'],
  ['/settings/carriers/swiftly', 'Swiftly'],
  ['/settings/prices', 'Prices'],
  ['/settings/bookings', 'Bookings'],
  ['/settings/messages', 'Messages'],
  ['/settings/history', 'History'],
  ['/start', 'Getting started'],
  ['/log-in', 'Your account'],
  ['/insights?month=2026-10', 'Insights'],
  ['/account/users', 'People'],
] as const

test('the owner’s pages at every width, light and dark', { skip: withoutBrowser() }, async (t) => {
  const pages = await openPages(t, { atOwnAddress: true }, ['portal'])
  await ensureDemoUsers(pages.api.fixture.deps)
  await endDeliveries(pages)
  const page = await pages.visit({ path: '/portal/log-in' })

  await t.test('Log in', async () => {
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await atEveryWidth(page, 'Log in')
  })

  await attachAuthenticator(page)
  await logIn(page, 'merchant_admin')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Ada’s laptop')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Ada’s laptop/ }).waitFor()

  for (const [path, heading] of PAGES) {
    await t.test(heading, async () => {
      await open(page, `${pages.url}/portal${path}`, heading)
      await atEveryWidth(page, heading)
    })
  }

  await t.test('changes that are not applied', async () => {
    await open(page, `${pages.url}/portal/settings/stores/fitzroy`, 'Fitzroy')
    await page.getByLabel('Printer').fill('Zebra')
    await page.getByRole('button', { name: 'Review' }).waitFor()
    await atEveryWidth(page, 'Changes')
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.context().close()
  })

  await t.test('The account document', async () => {
    const partner = await partnerLogIn(pages)
    await open(partner, `${pages.url}/portal/account`, 'Account')
    await partner.getByRole('textbox', { name: 'The document' }).waitFor()
    await atEveryWidth(partner, 'Document')
    await partner.context().close()
  })
})

async function open(page: Page, url: string, heading: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(url)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  // Charts and lists arrive after the heading. (`waitForFunction` would need `unsafe-eval` if it had to wait.)
  const loading = page.locator('.load')
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
}

async function atEveryWidth(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    // A target half under the header would count as too small.
    await page.evaluate('scrollTo(0, 0)')
    for (const scheme of ['light', 'dark'] as const) {
      const isChecked = CHECKED_IN[width] === scheme || process.env.AXE === 'all'
      if (scheme === 'dark' && !isChecked && !process.env.SCREENSHOTS) continue
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      if (isChecked) await assertAccessible(page, `${name} at ${width} px, ${scheme}`)
      await picture(page, `widths-${name.replaceAll(' ', '-')}-${width}-${scheme}`)
    }
    assert.deepEqual(await settledMistakes(page), [], `${name} at ${width} px`)
  }
}

/** After a resize the tabs scroll in a frame of their own. */
async function settledMistakes(page: Page): Promise<string[]> {
  let mistakes: string[] = []
  for (let frames = 0; frames < 60; frames++) {
    mistakes = await page.evaluate<string[]>(MISTAKES)
    if (mistakes.length === 0) break
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  return mistakes
}

/** What a person cannot see or reach: one sentence each. */
const MISTAKES = `(() => {
  const mistakes = []
  const view = { width: document.documentElement.clientWidth, height: innerHeight }
  const nameOf = (el) => (el.getAttribute('aria-label') || el.innerText || el.outerHTML).trim().slice(0, 80)
  const isScrollable = (el) => /auto|scroll/.test(getComputedStyle(el).overflowX)
  const ancestors = (el) => { const all = []; for (let up = el.parentElement; up && up !== document.body; up = up.parentElement) all.push(up); return all }
  scrollTo(0, 0)
  if (document.documentElement.scrollWidth > view.width) mistakes.push('the page scrolls sideways')
  const heading = document.querySelector('h1')?.getBoundingClientRect()
  if (!heading || heading.top < 0 || heading.bottom > view.height / 2) mistakes.push('the heading is out of sight')
  for (const tabs of document.querySelectorAll('.tabs')) {
    const all = tabs.getBoundingClientRect()
    const tab = tabs.querySelector('[aria-current]')?.getBoundingClientRect()
    if (!tab || tab.left < all.left - 1 || tab.right > all.right + 1) mistakes.push('the current tab is out of sight')
  }
  const bars = [...document.querySelectorAll('.foot-bar')].filter((bar) => bar.checkVisibility())
  const controls = [...document.querySelectorAll('a[href], button, input:not([type=file]), select, textarea, summary, [role=combobox]')]
    .filter((el) => el.checkVisibility({ visibilityProperty: true }) && !el.matches('.skip, .vh') && !el.closest('.vh'))
  for (const el of controls) {
    const { left, right, width } = el.getBoundingClientRect()
    const above = ancestors(el)
    if (width === 0) continue
    if (!above.some(isScrollable) && (left < -1 || right > view.width + 1)) mistakes.push(nameOf(el) + ' reaches beyond the page')
    const hider = above.find((up) => /hidden|clip/.test(getComputedStyle(up).overflowX))
    const box = hider?.getBoundingClientRect()
    if (box && !above.slice(0, above.indexOf(hider)).some(isScrollable) && (left < box.left - 1 || right > box.right + 1))
      mistakes.push(nameOf(el) + ' is cut off')
    if (el.matches('button, a.b') && el.scrollWidth > el.clientWidth + 1) mistakes.push(nameOf(el) + ' is wider than its button')
  }
  scrollTo(0, document.documentElement.scrollHeight)
  for (const bar of bars) {
    const edge = bar.getBoundingClientRect()
    for (const el of controls) {
      if (bar.contains(el) || getComputedStyle(el).position === 'fixed') continue
      const { top, bottom, left, right } = el.getBoundingClientRect()
      const isScrolled = ancestors(el).some((up) => /auto|scroll/.test(getComputedStyle(up).overflowY) && up.scrollHeight > up.clientHeight)
      if (!isScrolled && bottom > edge.top && right > edge.left && left < edge.right) mistakes.push(nameOf(el) + ' is under the bar at the bottom')
    }
  }
  const save = document.querySelector('.save-bar')
  for (const y of [0, document.documentElement.scrollHeight]) {
    scrollTo(0, y)
    for (const el of save?.querySelectorAll('button') ?? []) {
      const { left, top, width, height } = el.getBoundingClientRect()
      const on = document.elementFromPoint(left + width / 2, top + height / 2)
      if (!on || !el.contains(on)) mistakes.push(nameOf(el) + ' of the changes is covered')
    }
  }
  scrollTo(0, 0)
  return mistakes
})()`
