import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fakeFetch } from '../../clients/typescript/src/test/fake-fetch.ts'
import { findLabels, formatLeftOut, printLabels } from './print-labels.ts'

test('labels print as their store says; labels of several stores as PDF', () => {
  const zebra = { format: 'zpl', printer: 'Zebra by the packing bench' } as const
  const stores = [
    { id: 'a', labels: zebra },
    { id: 'b', labels: { format: 'pdf' } as const },
  ]
  const at = (...ids: string[]) =>
    findLabels(
      stores,
      ids.map((store_id) => ({ store_id })),
    )
  assert.deepEqual(at('a', 'a'), zebra)
  assert.deepEqual(at('b'), { format: 'pdf' })
  assert.deepEqual(at('a', 'b'), { format: 'pdf' })
  assert.deepEqual(at('gone'), { format: 'pdf' })
  assert.deepEqual(at(), { format: 'pdf' })
})

test('several labels print without the deliveries that have none now', async (t) => {
  const { sent } = fakeLabels(t, { 'labels-left-out': 'b, c', 'labels-left-out-count': '2' })
  const { leftOut } = await printLabels('demo', ['a', 'b', 'c'], 'pdf')
  assert.deepEqual(leftOut, { ids: ['b', 'c'], count: 2 })
  await printLabels('demo', ['a'], 'pdf')
  assert.deepEqual(
    sent.map(({ body }) => JSON.parse(body ?? '')),
    [{ delivery_ids: ['a', 'b', 'c'], skip_unavailable: true }, { delivery_ids: ['a'] }],
  )
})

test('deliveries without a label are named, and counted if the server does not name them all', () => {
  const deliveries = ['WC-1', 'WC-2', 'WC-3'].map((reference) => ({ id: `dlv_${reference}`, reference }))
  const leftOut = (count: number, ...ids: string[]) => formatLeftOut({ ids, count }, deliveries)
  assert.equal(leftOut(0), null)
  assert.equal(leftOut(1, 'dlv_WC-2'), 'We left out WC-2 because it has no label now.')
  assert.equal(
    leftOut(2, 'dlv_WC-2', 'dlv_WC-3'),
    'We left out WC-2 and WC-3 because they have no labels now.',
  )
  assert.equal(leftOut(60, 'dlv_WC-2'), 'We left out 60 deliveries because they have no labels now.')
})

/** The server's response, in a browser that blocks the new tab. */
function fakeLabels(t: TestContext, headers: Record<string, string>) {
  const pdf = () => new Response('%PDF-', { headers: { 'content-type': 'application/pdf', ...headers } })
  const fake = fakeFetch(pdf(), pdf())
  t.mock.method(globalThis, 'fetch', fake)
  Object.assign(globalThis, { window: { open: () => null } })
  t.after(() => Reflect.deleteProperty(globalThis, 'window'))
  return fake
}
