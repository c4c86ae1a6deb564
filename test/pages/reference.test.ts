import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openPages, withoutBrowser } from './browser.ts'
import { inEveryLook } from './looks.ts'

test('an example is curl, TypeScript or Python, chosen by keyboard or click for all examples and the next visit', {
  skip: withoutBrowser(),
}, async (t: TestContext) => {
  const { url, visit } = await openPages(t, { work: false }, ['portal'])
  const page = await visit({ path: '/docs#getDelivery' })
  const example = page.locator('#getDelivery')
  const curl = example.getByRole('tab', { name: 'curl' })
  const typescript = example.getByRole('tab', { name: 'TypeScript' })
  await example.getByRole('tabpanel', { name: 'curl' }).waitFor()
  assert.equal(await example.getByRole('tabpanel').count(), 1)

  await page.setViewportSize({ width: 390, height: 844 })
  await curl.focus()
  const before = await curl.boundingBox()
  await page.keyboard.press('ArrowRight')
  assert.equal(await typescript.getAttribute('aria-selected'), 'true')
  assert.ok(await typescript.evaluate((tab) => tab.matches(':focus')))
  await example.getByText('console.log(await drover.deliveries.get(DELIVERY_ID))').waitFor()
  assert.equal(Math.round((await curl.boundingBox())?.y ?? 0), Math.round(before?.y ?? -1))
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(width <= 390, `${width}`)

  await page.keyboard.press('ArrowRight')
  await example.getByText('print(drover.deliveries.get(DELIVERY_ID))').waitFor()
  await page.keyboard.press('ArrowLeft')

  await page.goto(`${url}/docs/guides`)
  await page.goto(`${url}/docs#createDelivery`)
  const other = page.locator('#createDelivery')
  await other.getByText('await drover.deliveries.create({').waitFor()
  await other.getByRole('tab', { name: 'curl' }).click()
  await other.getByText('curl -sS -X POST').waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('example')), 'curl')
})

test('the reference is accessible in each look', { skip: withoutBrowser() }, async (t: TestContext) => {
  const { visit } = await openPages(t, { work: false }, ['portal'])
  const page = await visit({ path: '/docs#getDelivery' })
  // The rest of the page repeats what one operation has.
  await page.getByRole('searchbox').fill('get a delivery')
  await inEveryLook(page, 'reference')
})

test('without JavaScript every example is readable, one below the other', {
  skip: withoutBrowser(),
}, async (t) => {
  const { url, visit } = await openPages(t, { work: false }, ['portal'])
  const page = await visit({ path: '/docs/guides' })
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false })
  assert.ok(context)
  t.after(() => context.close())
  const plain = await context.newPage()
  await plain.goto(`${url}/docs`)
  const [curl, typescript, python] = await Promise.all(
    ['example', 'client', 'python'].map((kind) =>
      plain.locator(`code[data-${kind}="getDelivery"]`).boundingBox(),
    ),
  )
  assert.ok(curl && typescript && python)
  assert.ok(curl.y + curl.height < typescript.y && typescript.y + typescript.height < python.y)
})
