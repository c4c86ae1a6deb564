import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf, deliveryBody, usedBy } from '../api.ts'
import type { Fixture } from '../fixture.ts'
import { owned } from '../harness/clean-ups.ts'
import { type Ask, asker } from '../harness/http.ts'
import { serveApi } from '../harness/serve-api.ts'
import { checkAtRest, crashFixture, letTimePass } from './crash-fixture.ts'
import { dieAfterEach, dyingProgram } from './crash-points.ts'
import { type Asking, send } from './work.ts'

const LINE = 'POST /demo/deliveries'

const SITUATIONS: readonly { name: string; body: object }[] = [
  { name: 'a create', body: {} },
  // At other kinds of carriers the steps are the same as in a worker's turn.
  { name: 'a create that is booked at once', body: { book_delivery_now: true, delivery_type: 'standard' } },
]

test('a crash after any step of a create leaves one delivery and one response for its key', async (t) => {
  const fixture = await crashFixture(t)
  const program = await dyingProgram()
  const token = await (await usedBy(apiOf(fixture), fixture)).tokenOf('demo-client', 'demo-secret')
  const ask = asker(owned(t, await serveApi(fixture.deps)).url)
  let points = 0
  for (const { name, body } of SITUATIONS) {
    const begin = async (suffix: string) => {
      const reference = `${name.replaceAll(' ', '-')}-${suffix}`
      const due = { ready_for_pickup_at: '2026-11-24T10:30:00+11:00' }
      const asking = { line: LINE, key: reference, token, body: deliveryBody({ ...due, ...body, reference }) }
      return { asking, work: { task: 'ask' as const, ...asking } }
    }
    points += await dieAfterEach(program, fixture, { name }, begin, ({ asking }, what) =>
      checkOnce(fixture, ask, asking, what),
    )
  }
  t.diagnostic(`${points} crash points`)
  assert.ok(points >= 6, `only ${points} crash points`)
})

/** The client retries until it gets a response: then there is one delivery with one booking, and the response stays the same. */
async function checkOnce(fixture: Fixture, ask: Ask, asking: Asking, what: string): Promise<void> {
  const { db } = fixture.deps
  const first = await comeAgain(fixture, ask, asking)
  assert.equal(first.status, 201, `${what}: ${first.text}`)
  const { rows } = await db.query<{ id: string }>(
    'select delivery_id as id from deliveries where reference = $1',
    [asking.key],
  )
  assert.equal(rows.length, 1, what)
  const { id } = rows[0] as { id: string }
  await checkAtRest(fixture, id, what)
  assert.deepEqual(await eventsBeforeCall(fixture, id), ['delivery.created', 'delivery.requested'], what)
  const { rows: audited } = await db.query(
    `select 1 from audit_log where action = 'createDelivery' and object = $1`,
    [id],
  )
  assert.equal(audited.length, 1, what)
  const again = await send(ask, asking)
  assert.deepEqual([again.status, again.text], [first.status, first.text], what)
  assert.equal(again.headers['idempotent-replayed'], 'true', what)
}

const MAX_ATTEMPTS = 10
const NOT_YET = new Set([409, 503])

async function comeAgain(fixture: Fixture, ask: Ask, asking: Asking) {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(ask, asking)
    if (!NOT_YET.has(answer.status) || tries === MAX_ATTEMPTS) return answer
    await fixture.deps.db.query(
      `update idempotency_keys set locked_until = locked_until - interval '1 hour' where key = $1 and status is null`,
      [asking.key],
    )
    const { rows } = await fixture.deps.db.query(
      'select delivery_id as id from deliveries where reference = $1',
      [asking.key],
    )
    for (const { id } of rows) await letTimePass(fixture, id)
  }
}

/** The messages and events before the carrier is called: each exists once, whichever process died. */
async function eventsBeforeCall({ deps }: Fixture, deliveryId: string): Promise<string[]> {
  const { rows } = await deps.db.query(
    `select type from events where stream = $1 and type in ('delivery.created', 'delivery.requested') order by position`,
    [deliveryId],
  )
  return rows.map(({ type }) => type)
}
