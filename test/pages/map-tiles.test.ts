import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { ownDelivery } from '../driver.ts'
import { until } from '../wait-until.ts'
import { openPages, picture, withoutBrowser } from './browser.ts'
import { doorPhoto } from './door-photo.ts'

/** A tile server, or one that returns 500 to everything. */
async function tileServer(t: TestContext, works: boolean) {
  const asked: string[] = []
  const picture = doorPhoto()
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(works ? 200 : 500, { 'content-type': 'image/png', 'access-control-allow-origin': '*' })
    response.end(works ? picture : '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  return { origin: `http://127.0.0.1:${port}`, asked }
}

test('with map tiles configured, the map shows them', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const tiles = await tileServer(t, true)
  const mapTiles = {
    url: `${tiles.origin}/{z}/{x}/{y}.png`,
    origins: [tiles.origin],
    attribution: '<a href="https://tiles.test/">Tiles of a test</a>',
  }
  const pages = await openPages(t, { mapTiles }, ['track'])
  const delivery = await ownDelivery(pages.api)
  const path = new URL(delivery.tracking_url).pathname
  const page = await pages.visit({ path })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.wide canvas').waitFor()
  await page.getByText('Tiles of a test').last().waitFor()
  assert.equal(await page.locator('[aria-hidden="true"] :is(summary, a)').count(), 0)
  await until(
    async () => (await page.locator('.wide .tiles svg').count()) === 2,
    'store and address are marked',
  )
  await until(async () => tiles.asked.length > 0, 'the page requests a tile')
  assert.match(tiles.asked[0] ?? '', /^\/\d+\/\d+\/\d+\.png$/)
  await picture(page, 'map-tiles-1440-light')
})

test('if the tiles fail, the page shows its own map', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { origin } = await tileServer(t, false)
  const mapTiles = { url: `${origin}/style.json`, origins: [origin], attribution: null }
  const pages = await openPages(t, { mapTiles }, ['track'])
  const delivery = await ownDelivery(pages.api)
  const page = await pages.visit({ path: new URL(delivery.tracking_url).pathname })
  await page.locator('.wide').getByRole('img', { name: 'From Fitzroy and Carlton, on a map.' }).waitFor()
})

test('in a browser without WebGL 2, the page shows its own map', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { origin } = await tileServer(t, true)
  const mapTiles = { url: `${origin}/{z}/{x}/{y}.png`, origins: [origin], attribution: null }
  const pages = await openPages(t, { mapTiles }, ['track'])
  const delivery = await ownDelivery(pages.api)
  const page = await pages.visit({ path: '/track/none' })
  await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')
  await page.goto(pages.url + new URL(delivery.tracking_url).pathname)
  await page.locator('.wide').getByRole('img', { name: 'From Fitzroy and Carlton, on a map.' }).waitFor()
})
