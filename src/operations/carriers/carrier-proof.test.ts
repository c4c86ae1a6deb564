import assert from 'node:assert/strict'
import { test } from 'node:test'
import { book } from '../../../test/booked-deliveries.ts'
import { testFixture } from '../../../test/fixture.ts'
import { claimDeliveries, processDueDeliveries } from '../deliveries/process-due-deliveries.ts'
import { MAX_CLAIMS } from '../leases/claim.ts'

test('a proof image that never arrives is dropped, and its delivery is not dead-lettered', async (t) => {
  const { deps, ...fixture } = await testFixture(t, { work: false })
  const { id } = await book({ deps, ...fixture }, 'PICTURE-1')
  await deps.db.query(
    `update deliveries set status = 'delivered', due_at = '2000-01-01', lease_until = null, claims = $2
     where delivery_id = $1`,
    [id, MAX_CLAIMS],
  )
  await processDueDeliveries(deps, await claimDeliveries(deps, 10))
  const { rows } = await deps.db.query(
    'select due_at, lease_until, dead_lettered_at, status_reason from deliveries where delivery_id = $1',
    [id],
  )
  assert.deepEqual(rows, [{ due_at: null, lease_until: null, dead_lettered_at: null, status_reason: null }])
})
