import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { book, read } from '../../../test/booked-deliveries.ts'
import { type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import type { CliDeps } from '../../cli/deps.ts'
import { runCommand } from '../../cli/program.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryPatch } from '../../store/deliveries/delivery-change.ts'
import { MAX_CLAIMS } from '../leases/claim.ts'
import { claimDeliveries, processDueDeliveries } from './process-due-deliveries.ts'

const NOT_DEAD_LETTERED = {
  dead_lettered_at: null,
  dead_letter_reason: null,
  status_reason: null,
  lease_until: null,
}

test('a dead-lettered delivery is tracked again only once it is resumed', async (t) => {
  const fixture = await testFixture(t, { work: false })
  for (const [reference, status] of [
    ['R-1', 'booked'],
    ['R-2', 'assigned'],
    ['R-3', 'collected'],
    ['R-4', 'pending_return'],
  ] as const) {
    const { id } = await book(fixture, reference)
    await deadLetter(fixture, id, status)
    const deadLettered = await stands(fixture, id)
    assert.equal(deadLettered.due_at, null)
    assert.match(deadLettered.status_reason, /^Taken out of the queue/)
    assert.ok(
      (await read(fixture, reference)).updatedAtMs >= TUESDAY_TEN_MS,
      'its readers see that it has changed',
    )
    assert.deepEqual(await claimDeliveries(fixture.deps, 10), [])

    assert.match(
      await resume(fixture, reference),
      new RegExp(`^Delivery ${reference} is ${status} and back in the queue`),
    )
    const { due_at, claims, ...rest } = await stands(fixture, id)
    assert.deepEqual([rest, claims], [NOT_DEAD_LETTERED, 0])
    const due = await claimDeliveries(fixture.deps, 10)
    assert.deepEqual(
      due.map(({ row }) => row.delivery_id),
      [id],
    )
    await processDueDeliveries(fixture.deps, due)
    assert.ok((await stands(fixture, id)).due_at > due_at, 'its carrier was asked, and will be again')
    assert.match(await resume(fixture, reference), /was not dead-lettered: nothing was done/)
  }
  const { rows } = await fixture.deps.db.query(
    `select count(*)::int as count from audit_log where action = 'resumeDelivery'`,
  )
  assert.equal(rows[0].count, 4)
})

test('only resume, book, cancel or a recorded outcome clears a dead letter', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const cases: [DeliveryPatch, boolean][] = [
    [{ due_at: TUESDAY_TEN_MS }, true],
    [{ due_at: null, sub_status: 'x' }, true],
    [{ status: 'cancelled' }, true],
    [{ sub_status: 'x' }, false],
  ]
  for (const [index, [patch, isSeenTo]] of cases.entries()) {
    const { id: deliveryId } = await book(fixture, `C-${index}`)
    await deadLetter(fixture, deliveryId, 'booked')
    const target = {
      accountId: 'demo',
      deliveryId,
      nowMs: TUESDAY_TEN_MS,
      guard: { statuses: ['booked'] as const },
    }
    assert.ok(await changeDelivery(fixture.deps.db, target, patch))
    const { dead_lettered_at, status_reason } = await stands(fixture, deliveryId)
    assert.deepEqual(
      [dead_lettered_at === null, status_reason === null],
      [isSeenTo, isSeenTo],
      JSON.stringify(patch),
    )
  }
})

/** Takes it out of the queue as the worker does, after too many claims. */
async function deadLetter({ deps }: Fixture, id: string, status: string): Promise<void> {
  await deps.db.query('update deliveries set due_at = null where delivery_id <> $1', [id])
  await deps.db.query(
    `update deliveries set status = $2, due_at = '2000-01-01', updated_at = '2000-01-01', lease_until = null, claims = $3
     where delivery_id = $1`,
    [id, status, MAX_CLAIMS],
  )
  await processDueDeliveries(deps, await claimDeliveries(deps, 10))
}

async function stands({ deps }: Fixture, id: string) {
  const { rows } = await deps.db.query(
    `select due_at, claims, dead_lettered_at, dead_letter_reason, status_reason, lease_until from deliveries where delivery_id = $1`,
    [id],
  )
  return rows[0]
}

/** The command as an operator types it. */
async function resume({ deps }: Fixture, reference: string): Promise<string> {
  let message = ''
  const consoleLog = mock.method(console, 'log', (line: string) => {
    message += line
  })
  const withService: CliDeps['withService'] = (use) => use(deps)
  const code = await runCommand(['delivery', 'resume', reference, '--account', 'demo'], {
    withService,
  } as CliDeps)
  consoleLog.mock.restore()
  assert.equal(code, 0)
  return message
}
