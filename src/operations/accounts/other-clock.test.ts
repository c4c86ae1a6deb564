import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { read } from '../../../test/booked-deliveries.ts'
import { anyone, type Fixture, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { bookDelivery } from '../bookings/book-delivery.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { claimDeliveries } from '../deliveries/process-due-deliveries.ts'
import { toClaim } from '../leases/claim.ts'

const MINUTE_MS = 60_000

for (const minutes of [10, -10]) {
  test(`a process whose clock is off by ${minutes} minutes takes no lease that holds, and one that has ended`, async (t) => {
    const fixture = await testFixture(t, { work: false })
    await create(fixture, 'A-1')
    const [first] = await claimDeliveries(fixture.deps, 1)
    assert.ok(first)

    clockOff(t, minutes)
    assert.deepEqual(await claimDeliveries(fixture.deps, 1), [])
    await fixture.deps.db.query(`update deliveries set lease_until = now() - interval '1 millisecond'`)
    const [second] = await claimDeliveries(fixture.deps, 1)
    assert.equal(second?.row.fence, first.row.fence + 1)

    const work = (due: typeof first) => ({
      deps: fixture.deps,
      entry: fixture.demo(),
      claim: toClaim(fixture.deps, due.row, due.claimedAtMs, 'worker'),
    })
    await bookDelivery(work(first))
    assert.equal((await read(fixture, 'A-1')).status, 'requested', 'who lost the lease has written')
    await bookDelivery(work(second as typeof first))
    assert.equal((await read(fixture, 'A-1')).status, 'booked')
  })
}

/** Shifts this process's clock; the database has its own. */
function clockOff(t: TestContext, minutes: number): void {
  const wallMs = Date.now
  t.mock.method(Date, 'now', () => wallMs() + minutes * MINUTE_MS)
}

async function create(fixture: Fixture, reference: string): Promise<void> {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T10:45:00+11:00'),
    reference,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}
