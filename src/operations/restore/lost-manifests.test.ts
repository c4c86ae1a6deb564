import assert from 'node:assert/strict'
import { test } from 'node:test'
import { book as bookNew } from '../../../test/booked-deliveries.ts'
import { anyone } from '../../../test/fixture.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { restoredAfter } from '../../../test/restored-database.ts'
import { manifestStore } from '../manifests/manifest-store.ts'

test('a booking that was manifested in the lost period never goes into a second order at its carrier', async (t) => {
  const standard = { deliveryType: 'standard' } as const
  const restored = await restoredAfter(t, { 'SENT-1': standard }, async ({ fixture, book }) => {
    await book('SENT-1')
    // The manifest of the lost period, which only the carrier remembers.
    await fixture.deps.db.query(`update sandbox_consignments set order_id = 'SPO-LOST'`)
  })
  const { deps, demo } = restored.fixture
  await restored.prepare()
  restored.work()
  await restored.until('SENT-1', 'booked')
  await bookNew(restored.fixture, 'NEW-1')
  const submit = async (references: readonly string[] | null) => {
    const [made] = await manifestStore(deps, demo(), anyone, { ...wholeStore, references }, null)
    return [made?.manifest.state, made?.manifest.deliveries]
  }
  assert.deepEqual(await submit(null), ['refused', 2])
  assert.deepEqual(await submit(['NEW-1']), ['submitted', 1])
})
