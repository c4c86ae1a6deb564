import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { untilLockAwaited } from '../../../test/until-lock-awaited.ts'
import { createDelivery } from '../../operations/deliveries/create-delivery.ts'
import { makeWebhookClaimer } from '../../operations/webhooks/send-webhooks.ts'
import { createWebhookEndpoint } from '../../operations/webhooks/webhook-endpoints.ts'
import { withTransaction } from '../db/pool.ts'
import { queueFromFeed } from '../webhooks/webhook-queue.ts'
import { eraseDeliveries, lockUnlessErased } from './erase-deliveries.ts'

test('erasing locks an endpoint before its sends, as sending does', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  const { db } = deps
  const url = 'http://127.0.0.1:9/dead'
  await createWebhookEndpoint(deps, fixture.demo(), anyone, { url, eventTypes: null })
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const readyForPickupAt = timestamp('2026-11-26T10:30:00+11:00')
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', readyForPickupAt, reference: 'ONE' }
  await createDelivery(deps, fixture.demo(), anyone, request, options)
  const [endpoint] = await makeWebhookClaimer()(deps, 1)
  assert.ok(endpoint)
  await queueFromFeed(db, endpoint, { nowMs: TUESDAY_TEN_MS, leaseMs: 30_000, limit: 200 })
  const { rows } = await db.query('select delivery_id from deliveries')
  const erasure = {
    accountId: 'demo',
    deliveryIds: [rows[0].delivery_id],
    sandboxCarriers: [],
    nowMs: TUESDAY_TEN_MS,
  }

  const erased = await withTransaction(db, async (sender) => {
    await sender.query("update webhook_endpoints set claimed_at = now() where account_id = 'demo'")
    const done = withTransaction(db, (ours) => eraseDeliveries(ours, erasure))
    await untilLockAwaited(db)
    const { rowCount } = await sender.query(
      "select from webhook_sends where account_id = 'demo' for update nowait",
    )
    assert.equal(rowCount, 2, 'the unsent events are not locked')
    return { done }
  })
  await erased.done
  const { rows: left } = await db.query(
    `select backlog, (select count(*)::int from webhook_sends where account_id = 'demo') as sends
     from webhook_endpoints where account_id = 'demo'`,
  )
  assert.deepEqual(left, [{ backlog: 0, sends: 0 }])
})

test('an erasure waits until a photo of the delivery is stored, and no photo is stored after it', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const readyForPickupAt = timestamp('2026-11-26T10:30:00+11:00')
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', readyForPickupAt, reference: 'ONE' }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
  const { rows } = await db.query('select delivery_id from deliveries')
  const id = rows[0].delivery_id
  const erasure = { accountId: 'demo', deliveryIds: [id], sandboxCarriers: [], nowMs: TUESDAY_TEN_MS }

  const erased = await withTransaction(db, async (photo) => {
    assert.equal(await lockUnlessErased(photo, 'demo', id), true)
    const done = withTransaction(db, (ours) => eraseDeliveries(ours, erasure))
    await untilLockAwaited(db)
    return { done }
  })
  await erased.done
  assert.equal(await withTransaction(db, (photo) => lockUnlessErased(photo, 'demo', id)), false)
})
