import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Api, apiOf, deliveryBody, type Reply, testApi, usedBy } from '../../../../test/api.ts'
import { MIA } from '../../../../test/driver.ts'
import { letTimePass } from '../../../../test/kills/crash-fixture.ts'
import { doWork } from '../../../../test/kills/work.ts'
import { lostBooking, pallet } from '../../../../test/lost-booking.ts'
import type { Outcome } from '../../../carriers/port/carrier.ts'
import { applyCarrierEvents } from '../../../operations/carriers/apply-carrier-events.ts'
import type { Deps } from '../../../operations/deps.ts'
import { closeServer } from '../../server/stop.ts'

const CANCEL_REASON = { reason: 'Not wanted.' }
const MINUTE_MS = 60_000

test('concurrent cancels of a requested delivery all get 200 cancelled', async (t) => {
  const api = await testApi(t, { work: false })
  for (let round = 0; round < 5; round++) {
    const created = await api.call('POST /demo/deliveries', {
      body: deliveryBody({ reference: `TWICE-${round}` }),
    })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => cancel(api, created.json.data.id, CANCEL_REASON)),
    )
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.data?.status]),
      answers.map(() => [200, 'cancelled']),
    )
  }
})

test('a cancel of a dead-lettered delivery is stored, and carried out once the outcome is known', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const { db } = fixture.deps
  const doDueWork = (id: string) => doWork(fixture.deps, { deliveryId: id, task: 'turn' })
  const deadLettered = async (reference: string, over: object) => {
    const { id, consignmentNumber } = await lostBooking(api, { reference, ...over })
    await db.query(`update booking_intents set state = 'sent' where delivery_id = $1`, [id])
    await db.query(
      `update deliveries set status = 'requested', due_at = null, dead_lettered_at = now(), dead_letter_reason = 'Taken out.',
         status_reason = 'Taken out.' where delivery_id = $1`,
      [id],
    )
    return { id, consignmentNumber }
  }
  const settle = (id: string, body: object) => call(`PATCH /demo/deliveries/${id}/settle-booking`, { body })
  const found = { delivery_type: 'standard' }
  type End = (id: string, consignment_number: string) => Promise<unknown>
  const ends: [name: string, over: object, end: End][] = [
    ['a person says that no carrier has it', { parcels: [pallet] }, (id) => settle(id, { booked: false })],
    [
      'a person says that it is booked; the carrier cancels it',
      { parcels: [pallet] },
      async (id, consignment_number) => {
        assert.equal((await settle(id, { booked: true, consignment_number })).status, 200)
        await doDueWork(id)
      },
    ],
    [
      'a search finds it, and the carrier cancels it',
      found,
      async (id) => {
        await letTimePass(fixture, id)
        await doDueWork(id)
        await doDueWork(id)
      },
    ],
    [
      'a search does not find it',
      found,
      async (id) => {
        await db.query(`delete from sandbox_consignments where reference like $1 || '%'`, [id])
        await letTimePass(fixture, id)
        await doDueWork(id)
      },
    ],
  ]
  for (const [index, [name, over, end]] of ends.entries()) {
    const { id, consignmentNumber } = await deadLettered(`DEAD-${index}`, over)
    // Two at once: one stores the request, and both get the same response.
    for (const { status, json } of await Promise.all([
      cancel(api, id, CANCEL_REASON),
      cancel(api, id, CANCEL_REASON),
    ])) {
      assert.deepEqual([status, json.code], [409, 'cancellation_pending'], `${name}: ${json.detail}`)
      assert.match(json.detail, /we’ll cancel both\..* Ask the carrier whether they have it/)
    }
    const held = await read(api, id)
    assert.deepEqual(
      [held.status, held.pending_cancellation.purpose, held.pending_cancellation.reason],
      ['on_hold', 'cancel', CANCEL_REASON.reason],
    )
    const rows = await rowsOf(api, id)
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['requestCancel'],
      name,
    )
    const { rows: marked } = await db.query(
      'select dead_lettered_at from deliveries where delivery_id = $1',
      [id],
    )
    assert.deepEqual(marked, [{ dead_lettered_at: null }])
    await end(id, consignmentNumber)
    const now = await read(api, id)
    assert.deepEqual([now.status, now.pending_cancellation], ['cancelled', undefined], name)
  }
})

test('a pending cancellation is visible, is audited once with its caller, and ends with its cause', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api

  await t.test('on hold: the cancellation is pending, and a repeat gets the same response', async () => {
    const { id } = await lostBooking(api, { reference: 'H-1', parcels: [pallet] })
    const first = await cancel(api, id, CANCEL_REASON)
    assert.deepEqual([first.status, first.json.code], [409, 'cancellation_pending'])
    const delivery = await read(api, id)
    const { at, ...rest } = delivery.pending_cancellation
    assert.deepEqual([delivery.status, rest], ['on_hold', { purpose: 'cancel', ...CANCEL_REASON }])
    assert.equal(Date.parse(at), Date.parse(delivery.updated_at))
    const row = {
      action: 'requestCancel',
      actor: 'demo-client',
      after: { status: 'on_hold', purpose: 'cancel' },
    }
    assert.deepEqual(await rowsOf(api, id), [row])

    await fixture.setClock(fixture.demo().nowMs() + MINUTE_MS)
    for (const body of [CANCEL_REASON, {}]) {
      const again = await cancel(api, id, body)
      assert.deepEqual([again.status, again.json.detail], [409, first.json.detail])
    }
    for (const [verb, body, code] of [
      ['amend', { ready_for_pickup_at: '2026-11-24T15:00:00+11:00' }, 'not_amendable'],
      ['book', {}, 'not_bookable'],
      ['assign', { staff_courier: { phone: MIA, driver_name: 'Mia Tran' } }, 'not_assignable'],
      ['reassign', {}, 'not_reassignable'],
    ] as const) {
      const refused = await call(`PATCH /demo/deliveries/${id}/${verb}`, { body })
      assert.deepEqual([refused.status, refused.json.code], [409, code])
    }
    assert.deepEqual(await read(api, id), delivery)
    assert.deepEqual(await rowsOf(api, id), [row])

    await cancel(api, id, { reason: 'Bought elsewhere.' })
    assert.equal((await read(api, id)).pending_cancellation.reason, 'Bought elsewhere.')
    assert.deepEqual(await rowsOf(api, id), [row, row])
  })

  await t.test('any outcome of the booking ends the pending cancellation', async () => {
    const doDueWork = (id: string, deps = fixture.deps) => doWork(deps, { deliveryId: id, task: 'turn' })
    const settle = async (id: string, body: object) => {
      const settled = await call(`PATCH /demo/deliveries/${id}/settle-booking`, { body })
      assert.equal(settled.status, 200, settled.text)
      return settled.json.data
    }
    const found = { delivery_type: 'standard' }
    const unreported = { parcels: [pallet] }
    type End = (id: string, consignment_number: string) => Promise<void>
    const ends: [name: string, over: object, end: End, status: string][] = [
      [
        'a person says that no carrier has it',
        unreported,
        async (id) => {
          assert.equal((await settle(id, { booked: false })).status, 'cancelled')
        },
        'cancelled',
      ],
      [
        'a person says that it is booked; the carrier cancels it',
        unreported,
        async (id, consignment_number) => {
          const { status, pending_cancellation } = await settle(id, { booked: true, consignment_number })
          assert.deepEqual([status, pending_cancellation?.purpose], ['booked', 'cancel'])
          await doDueWork(id)
        },
        'cancelled',
      ],
      [
        'a person says that it is booked; the carrier refuses the cancel',
        unreported,
        async (id, consignment_number) => {
          await settle(id, { booked: true, consignment_number })
          await doDueWork(
            id,
            withCancel(fixture.deps, { kind: 'no', retry: 'nobody', message: 'It is on the truck.' }),
          )
        },
        'booked',
      ],
      [
        'a search finds it',
        found,
        async (id) => {
          await letTimePass(fixture, id)
          await doDueWork(id)
          assert.equal((await read(api, id)).pending_cancellation?.purpose, 'cancel')
          await doDueWork(id)
        },
        'cancelled',
      ],
      [
        'a search does not find it',
        found,
        async (id) => {
          await fixture.deps.db.query(`delete from sandbox_consignments where reference like $1 || '%'`, [id])
          await letTimePass(fixture, id)
          await doDueWork(id)
        },
        'cancelled',
      ],
    ]
    for (const [index, [name, over, end, status]] of ends.entries()) {
      const { id, consignmentNumber } = await lostBooking(api, { ...over, reference: `E-${index}` })
      await cancel(api, id, CANCEL_REASON)
      assert.equal((await read(api, id)).pending_cancellation?.purpose, 'cancel', name)
      await end(id, consignmentNumber)
      const now = await read(api, id)
      assert.deepEqual([now.status, now.pending_cancellation], [status, undefined], name)
      const { rows } = await fixture.deps.db.query(
        'select cancel_requested_at from deliveries where delivery_id = $1',
        [id],
      )
      assert.deepEqual(rows, [{ cancel_requested_at: null }], name)
    }
  })

  await t.test('the carrier does not answer: the cancellation stays pending', async () => {
    const silent = await apiWith(t, api, { kind: 'unknown', message: 'No answer.' })
    const id = await booked(api, 'B-1')
    const row = (action: string, after: object) => ({ action, actor: 'demo-client', after })
    for (const body of [CANCEL_REASON, CANCEL_REASON, {}]) {
      const reply = await cancel(silent, id, body)
      assert.deepEqual([reply.status, reply.json.code], [409, 'cancellation_pending'])
      assert.deepEqual(await rowsOf(api, id), [row('requestCancel', { status: 'booked', purpose: 'cancel' })])
      await fixture.setClock(fixture.demo().nowMs() + MINUTE_MS)
    }
    const { rows } = await fixture.deps.db.query<{ due_at: number; updated_at: number }>(
      'select due_at, updated_at from deliveries where delivery_id = $1',
      [id],
    )
    // The carrier was last asked two minutes after the first request. Jitter shortens a pause by up to a fifth.
    assert.ok(rows[0]!.due_at - rows[0]!.updated_at > 95_000, 'the carrier is asked less and less often')
    const { pending_cancellation, updated_at } = await read(api, id)
    assert.deepEqual(
      [pending_cancellation.purpose, pending_cancellation.reason],
      ['cancel', CANCEL_REASON.reason],
    )
    assert.ok(
      Date.parse(pending_cancellation.at) < Date.parse(updated_at),
      'a later request keeps the time of the first',
    )
    assert.equal((await cancel(api, id, {})).json.data.status_reason, CANCEL_REASON.reason)
    assert.deepEqual((await rowsOf(api, id)).slice(1), [row('requestCancel', { status: 'cancelled' })])

    const other = await booked(api, 'B-2')
    const moved = await silent.call(`PATCH /demo/deliveries/${other}/reassign`, { body: {} })
    assert.equal(moved.json.code, 'cancellation_pending', moved.text)
    const delivery = row('reassignDelivery', { status: 'booked', purpose: 'replan' })
    assert.deepEqual(await rowsOf(api, other), [delivery])
  })

  await t.test('the carrier reports its cancellation: the pending cancellation is done', async () => {
    const silent = await apiWith(t, api, { kind: 'unknown', message: 'No answer.' })
    for (const [verb, reference, status] of [
      ['request-cancel', 'N-1', 'cancelled'],
      ['reassign', 'N-2', 'requested'],
    ] as const) {
      const id = await booked(api, reference)
      const reply = await silent.call(`PATCH /demo/deliveries/${id}/${verb}`, { body: CANCEL_REASON })
      assert.equal(reply.json.code, 'cancellation_pending', reply.text)
      const { consignment_number: consignmentNumber } = (await call(`GET /demo/deliveries/${id}`)).json.data
      const atMs = fixture.demo().nowMs()
      const cancelled = { status: 'cancelled', subStatus: null, message: 'Cancelled by you.' } as const
      const updates = { consignmentNumber, eventId: reference, atMs, ...cancelled }
      await applyCarrierEvents(fixture.deps, fixture.demo(), id, [updates])
      const { status: now, pending_cancellation } = await read(api, id)
      assert.deepEqual([now, pending_cancellation], [status, undefined])
    }
  })

  await t.test('the carrier refuses: the attempt is audited and nothing stays pending', async () => {
    const keeping = await apiWith(t, api, { kind: 'no', retry: 'nobody', message: 'The van has it.' })
    const id = await booked(api, 'K-1')
    assert.equal((await cancel(keeping, id, CANCEL_REASON)).json.code, 'cancel_refused')
    assert.equal((await read(api, id)).pending_cancellation, undefined)
    assert.equal((await rowsOf(api, id)).length, 1)
  })
})

async function booked({ call }: Api, reference: string): Promise<string> {
  const body = deliveryBody({ reference, book_delivery_now: true })
  const { id, status } = (await call('POST /demo/deliveries', { body })).json.data
  assert.equal(status, 'booked')
  return id
}

function cancel({ call }: Api, id: string, body: object): Promise<Reply> {
  return call(`PATCH /demo/deliveries/${id}/request-cancel`, { body })
}

async function read({ call }: Api, id: string) {
  const { status, pending_cancellation, updated_at } = (await call(`GET /demo/deliveries/${id}`)).json.data
  return { status, pending_cancellation, updated_at }
}

/** The audit rows of cancellations and reassignments. */
async function rowsOf({ fixture }: Api, id: string) {
  const { rows } = await fixture.deps.db.query(
    `select action, actor, after from audit_log
     where object = $1 and action in ('requestCancel', 'reassignDelivery') order by at, audit_id`,
    [id],
  )
  return rows
}

/** The API of another process, whose carriers answer each cancel with `outcome`. */
async function apiWith(t: TestContext, { fixture }: Api, outcome: Outcome<null>): Promise<Api> {
  const app = apiOf({ ...fixture, deps: withCancel(fixture.deps, outcome) })
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  return usedBy(app, fixture)
}

function withCancel(deps: Deps, outcome: Outcome<null>): Deps {
  return {
    ...deps,
    carrierOf(entry, provider) {
      const carrier = deps.carrierOf(entry, provider)
      return carrier && { ...carrier, cancel: async () => outcome }
    },
  }
}
