import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type App, buildWeb } from '../../scripts/build-web.ts'
import type { HttpDeps } from '../../src/http/contract/deps.ts'
import { closeServer } from '../../src/http/server/stop.ts'
import { type Api, apiOf, usedBy } from '../api.ts'
import { type FixtureOptions, testFixture } from '../fixture.ts'
import { freePort } from '../packaged-process.ts'

/** `npm test` finds a browser or downloads one. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? null
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']
const OFFLINE = ['--disable-background-networking', '--disable-component-update']

/** Generous: a busy machine is slow, and only a failing test waits to the end. */
const PATIENCE_MS = Number(process.env.PAGE_PATIENCE ?? 90_000)

/** Why tests of pages are skipped, or false. On CI they run, and fail without a browser. */
export function withoutBrowser(): string | false {
  if (CHROMIUM || process.env.CI === 'true') return false
  return 'needs a Chromium, named with CHROMIUM_PATH'
}

export type Visit = {
  width?: number
  height?: number
  dark?: boolean
  path?: string
  /** Other origins that the page may open. */
  origins?: readonly string[]
  /** A phone or tablet: fingers, and no mouse. */
  touch?: boolean
}
export type Pages = {
  api: Api
  /** The origin of the pages, with a host name for which browsers accept secure cookies. */
  url: string
  /** A page of a new browser profile. An error on its console fails the test. */
  visit(visit?: Visit): Promise<Page>
}

type PageOptions = FixtureOptions &
  Pick<HttpDeps, 'mapTiles'> & {
    /** Drover's own address is the one that the browser opens, as passkeys need it. */
    atOwnAddress?: boolean
  }

/** The whole product with these apps on a port, and one browser for the file. */
export async function openPages(
  t: TestContext,
  { mapTiles = null, atOwnAddress = false, ...options }: PageOptions = {},
  apps?: readonly App[],
): Promise<Pages> {
  await buildWeb(apps)
  const port = atOwnAddress ? Number(await freePort()) : 0
  const own = atOwnAddress ? { publicUrl: `http://localhost:${port}` } : {}
  const fixture = await testFixture(t, { ...options, ...own })
  const app = apiOf(fixture, fixture.deps.log, { mapTiles })
  const address = new URL(await app.listen({ port, host: '127.0.0.1' }))
  const browser = await chromium.launch({
    executablePath: CHROMIUM ?? 'chromium',
    args: [...QUIET, ...OFFLINE],
  })
  t.after(async () => {
    await browser.close()
    await closeServer(app, { drainMs: 0, withinMs: 500 })
  })
  const url = `http://localhost:${address.port}`
  const complaints: string[] = []
  t.after(() => assert.deepEqual(complaints, []))
  return {
    api: await usedBy(app, fixture),
    url,
    visit: (visit = {}) =>
      visitor(browser, url, visit, complaints, [...(mapTiles?.origins ?? []), ...(visit.origins ?? [])]),
  }
}

async function visitor(
  browser: Browser,
  url: string,
  { width = 1440, height = 900, dark = false, path = '/portal', touch = false }: Visit,
  complaints: string[],
  allowed: readonly string[],
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-AU',
    timezoneId: 'Australia/Melbourne',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  // Violations of the content security policy appear here; a rejected request (4xx) is not an error of the page.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  page.on('dialog', (dialog) => {
    complaints.push(`The page opened a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    const known = origin === url || allowed.includes(origin)
    if (protocol.startsWith('http') && !known)
      complaints.push(`The page requested ${request.url()}, another origin`)
  })
  await page.goto(url + path)
  return page
}

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Elsewhere on the page, a target that a sticky bar cuts off here is whole. */
const SCROLL_PX = 60

/** No violation of WCAG 2.2 A and AA, and no sideways scrolling. */
export async function assertAccessible(page: Page, name: string, levels = LEVELS): Promise<void> {
  const known = await page.evaluate<boolean>(`typeof axe === 'object'`)
  if (!known) await page.evaluate(readFileSync(AXE, 'utf8'))
  const listViolations = () =>
    page.evaluate<string[]>(`axe.run(document, { runOnly: ${JSON.stringify(levels)} })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => id + ': ' + html.slice(0, 400))))`)
  let found = await listViolations()
  if (found.some((one) => one.startsWith('target-size'))) {
    const fromPx = await page.evaluate<number>('scrollY')
    const scrollTo = (px: number) => page.evaluate(`scrollTo({ top: ${px}, behavior: 'instant' })`)
    await scrollTo(fromPx < SCROLL_PX ? fromPx + SCROLL_PX : fromPx - SCROLL_PX)
    const again = new Set(await listViolations())
    found = found.filter((one) => !one.startsWith('target-size') || again.has(one))
    await scrollTo(fromPx)
  }
  assert.deepEqual(found, [], name)
  const root = 'document.documentElement'
  const wider = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`)
  assert.ok(wider <= 0, `${name} scrolls sideways by ${wider} px`)
}

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 800 }

/** Checks a page at both sizes and in both schemes for accessibility, and takes screenshots if asked to. */
export async function lookAt(page: Page, name: string): Promise<void> {
  // Scrolled to the top: a target half under the header would count as too small.
  await page.evaluate('scrollTo(0, 0)')
  for (const [size, viewport] of [
    ['wide', WIDE],
    ['phone', PHONE],
  ] as const) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await picture(page, `${name}-${size}-${colorScheme}`)
      // Between schemes only colours differ, and they do not depend on the size.
      if (colorScheme === 'light') await assertAccessible(page, `${name}, ${size}`)
      else if (size === 'wide') await assertAccessible(page, `${name}, dark`, ['color-contrast'])
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(WIDE)
  await wake(page)
}

const FRAME_MS = 5_000

/** On a busy machine a resized page may stop drawing, and clicks wait for frames: another size wakes it. */
async function wake(page: Page): Promise<void> {
  const drawn = page.evaluate('new Promise((drawn) => requestAnimationFrame(() => drawn(true)))')
  const late = new Promise<false>((resolve) => setTimeout(resolve, FRAME_MS, false).unref())
  if (await Promise.race([drawn, late])) return
  drawn.catch(() => {})
  await page.bringToFront()
  await page.setViewportSize({ ...WIDE, height: WIDE.height + 1 })
  await page.setViewportSize(WIDE)
}

/** A screenshot in the folder that SCREENSHOTS names; without it, none is taken. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
