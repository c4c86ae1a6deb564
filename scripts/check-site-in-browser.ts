/**
 * Opens the built site in Chromium, as readers do: `npm run check-site`, after `npm ci` and a build of the site.
 * Screenshots of some pages go to `site/dist-screenshots/`.
 *
 * It fails if a page asks another host for anything, scrolls sideways, reports an error, violates WCAG 2.2 A or AA, or
 * cannot be read without JavaScript, and if the search does not find "manifest".
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from './chromium.ts'

const BUILT = join(import.meta.dirname, '../site/dist')
const LOOKS = join(import.meta.dirname, '../site/dist-screenshots')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/**
 * Starlight's own: the search button shows its key beside its name, and wide tables and blocks of code scroll. Chromium
 * and Firefox let the keyboard scroll them; Starlight makes the blocks of code focusable for the others, once idle.
 */
const NOT_OURS = ['label-content-name-mismatch', 'scrollable-region-focusable']
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDTHS = [390, 1024, 1440]
const SCHEMES = ['light', 'dark'] as const
/** A page of its own, one with pictures, one from the README, and the longest tables. */
const PAGES = ['', 'comparison', 'start', 'guides/portal', 'operations/security', 'operations/statements']
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

mkdirSync(LOOKS, { recursive: true })
const executablePath = await findChromium()
if (!executablePath) process.exit(1)
const server = createServer(({ url = '/' }, response) => {
  const path = new URL(url, 'http://site').pathname
  try {
    const file = join(BUILT, path.endsWith('/') ? `${path}index.html` : path)
    const body = readFileSync(file)
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body)
  } catch {
    response.writeHead(404).end()
  }
}).listen(0, '127.0.0.1')
await new Promise((ready) => server.once('listening', ready))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const complaints: string[] = []

for (const width of WIDTHS) {
  for (const scheme of SCHEMES) {
    for (const path of PAGES) await look(width, scheme, path)
  }
}
await searchFor('manifest')
await readWithoutJavaScript()
await browser.close()
server.close()
assert.deepEqual(complaints, [])
console.log(
  `${PAGES.length} pages looked at ${WIDTHS.length} widths, light and dark; screenshots are in ${LOOKS}`,
)

async function look(width: number, scheme: 'light' | 'dark', path: string): Promise<void> {
  const page = await open(browser, { viewport: { width, height: 900 }, colorScheme: scheme })
  await page.goto(`${origin}/${path}${path ? '/' : ''}`)
  const theme = await page.evaluate('document.documentElement.dataset.theme')
  assert.equal(theme, scheme, `${path} follows the system's scheme`)
  const [wide, wider] = (await page.evaluate(
    '[document.documentElement.clientWidth, document.documentElement.scrollWidth]',
  )) as [number, number]
  if (wider > wide) complaints.push(`/${path} scrolls sideways at ${width} px: ${wider} px wide`)
  await page.evaluate(AXE)
  const violations = (await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(LEVELS)} }).then(({ violations }) =>
      violations.filter(({ id }) => !${JSON.stringify(NOT_OURS)}.includes(id)).map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
  )) as string[]
  complaints.push(...violations.map((why) => `/${path} at ${width} px, ${scheme}: ${why}`))
  const name = path.replaceAll('/', '-') || 'index'
  await page.screenshot({ path: join(LOOKS, `${name}-${width}-${scheme}.png`) })
  await page.context().close()
}

async function searchFor(word: string): Promise<void> {
  const page = await open(browser, { viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('textbox', { name: 'Search' }).fill(word)
  const first = page.locator('.pagefind-ui__result-link').first()
  await first.waitFor()
  await page.screenshot({ path: join(LOOKS, 'search.png') })
  const results = await page.locator('.pagefind-ui__message').innerText()
  console.log(`The search: ${results.trim()}, ${await first.innerText()} first.`)
  await first.click()
  await page.getByText(word).first().waitFor()
  await page.context().close()
}

async function readWithoutJavaScript(): Promise<void> {
  const page = await open(browser, { javaScriptEnabled: false, viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'Run your own couriers' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Run your own couriers' }).waitFor()
  await page.getByRole('link', { name: 'Own couriers' }).last().click()
  await page.getByRole('heading', { level: 2, name: 'The driver app' }).waitFor()
  await page.screenshot({ path: join(LOOKS, 'without-javascript.png') })
  await page.context().close()
}

async function open(from: Browser, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const page = await (await from.newContext(options)).newPage()
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol.startsWith('http') && asked !== origin) complaints.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} at ${message.location().url}`)
  })
  return page
}
