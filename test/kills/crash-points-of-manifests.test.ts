import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf, usedBy } from '../api.ts'
import type { Fixture } from '../fixture.ts'
import { owned } from '../harness/clean-ups.ts'
import { type Ask, asker } from '../harness/http.ts'
import { serveApi } from '../harness/serve-api.ts'
import { deliveryRequest } from '../requests.ts'
import { arrangeDelivery, crashFixture } from './crash-fixture.ts'
import { dieAfter, dieAfterEach, dyingProgram } from './crash-points.ts'
import { type Asking, doWork, send, type Work } from './work.ts'

type Situation = {
  name: string
  recovery: 'southern' | 'haul'
  fate: string
  /** The request died after this step, and a worker takes over; null: the request itself dies. */
  takenOverFrom: string | null
  /** A crash before this step leaves a state that another situation covers. */
  fromStep?: string
}

/** Southern Parcels has a look-up of orders, Big Haul has none; a third kind has no manifests. */
const SITUATIONS: readonly Situation[] = [
  { name: 'a manifest', recovery: 'southern', fate: '', takenOverFrom: null },
  { name: 'a manifest', recovery: 'haul', fate: '', takenOverFrom: null },
  {
    name: 'a manifest without a response',
    recovery: 'southern',
    fate: '-lost-answer-manifest',
    takenOverFrom: null,
    fromStep: 'carrier lodges',
  },
  {
    name: 'a manifest taken over before its call',
    recovery: 'southern',
    fate: '',
    takenOverFrom: 'open-submit',
  },
  {
    name: 'a manifest taken over after its response',
    recovery: 'southern',
    fate: '',
    takenOverFrom: 'carrier lodges',
  },
  { name: 'a manifest taken over before its call', recovery: 'haul', fate: '', takenOverFrom: 'open-submit' },
]

test('a crash after any step of a manifest leaves one order at the carrier, with every delivery on it', async (t) => {
  const fixture = await crashFixture(t)
  const program = await dyingProgram()
  const token = await (await usedBy(apiOf(fixture), fixture)).tokenOf('demo-client', 'demo-secret')
  const ask = asker(owned(t, await serveApi(fixture.deps)).url)
  let points = 0
  for (const [number, situation] of SITUATIONS.entries()) {
    const { name, recovery, takenOverFrom } = situation
    const begin = async (suffix: string): Promise<Begun> => {
      const reference = `M${number}-${suffix}${situation.fate}`
      const deliveryId = await arrangeDelivery(fixture, recovery, reference)
      await doWork(fixture.deps, { deliveryId, task: 'turn' })
      const asking = askingFor(reference, token)
      if (takenOverFrom === null) return { deliveryId, asking, work: { task: 'ask', ...asking } }
      await dieAfter(
        program,
        fixture,
        { task: 'ask', ...asking },
        { step: takenOverFrom, times: 1 },
        `${name}: the request before`,
      )
      await letTimePass(fixture, deliveryId)
      return { deliveryId, asking, work: { task: 'manifests' } }
    }
    const of = { name: `${name} at ${recovery}`, fromStep: situation.fromStep }
    points += await dieAfterEach(program, fixture, of, begin, (begun, what) =>
      checkOneOrder(fixture, ask, begun, what),
    )
  }
  t.diagnostic(`${points} crash points`)
  assert.ok(points > 20, `only ${points} crash points`)
})

type Begun = { deliveryId: string; asking: Asking; work: Work }

function askingFor(reference: string, token: string): Asking {
  const body = {
    store_reference: deliveryRequest.storeReference,
    create_manifest_now: true,
    delivery_references: [reference],
  }
  return { line: 'POST /demo/store-manifests', key: `manifest of ${reference}`, body, token }
}

/** The client retries, and workers run, until nothing waits. */
async function checkOneOrder(
  fixture: Fixture,
  ask: Ask,
  { deliveryId, asking }: Begun,
  what: string,
): Promise<void> {
  const { db } = fixture.deps
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await letTimePass(fixture, deliveryId)
    await doWork(fixture.deps, { task: 'manifests' })
    const { status, text } = await send(ask, asking)
    assert.ok(status === 201 || status === 409, `${what}: ${status} ${text}`)
    const { rows } = await db.query(`select 1 from manifests where state = 'submitting'`)
    if (status === 201 && rows.length === 0) break
  }
  const { rows: manifests } = await db.query(
    `select manifest_id as id, state, order_id as "orderId", provider from manifests
     join manifest_deliveries using (account_id, manifest_id) where delivery_id = $1`,
    [deliveryId],
  )
  assert.equal(manifests.length, 1, `${what}: ${JSON.stringify(manifests)}`)
  const [{ id, state, orderId, provider }] = manifests
  const { rows: orders } = await db.query('select order_id as id from sandbox_orders where reference = $1', [
    id,
  ])
  const context = `${what}: ${state}, ${JSON.stringify(orders)}`
  assert.ok(orders.length <= 1, context)
  if (state === 'submitted') assert.equal(orders[0]?.id, orderId, context)
  // Only at the carrier without a look-up does a clerk decide.
  else assert.deepEqual([state, provider], ['on_hold', 'big_haul'], context)
}

const MAX_TURNS = 8

/** Long enough for key locks and leases to expire and for the carrier to settle. */
async function letTimePass({ deps }: Fixture, deliveryId: string): Promise<void> {
  const { rows } = await deps.db.query(
    'select manifest_id as id from manifest_deliveries where delivery_id = $1',
    [deliveryId],
  )
  for (const { id } of rows) {
    await deps.db.query(
      `update manifests set due_at = case when due_at is not null then created_at end,
         lease_until = lease_until - interval '1 hour', settle_until = settle_until - interval '1 hour'
       where manifest_id = $1`,
      [id],
    )
    await deps.db.query(
      `update sandbox_orders set findable_from = findable_from - interval '1 hour' where reference = $1`,
      [id],
    )
  }
  await deps.db.query(
    `update idempotency_keys set locked_until = locked_until - interval '1 hour' where status is null`,
  )
}
