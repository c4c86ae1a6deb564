import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, get, networks } from '../../../../test/courier-networks.ts'
import { anyone } from '../../../../test/fixture.ts'
import { stepped } from '../../../../test/kills/step-recorder.ts'
import { control } from '../../../../test/live-carriers.ts'
import {
  cancelOrphanedBookings,
  claimOrphanedBookings,
} from '../../../operations/bookings/cancel-orphaned-bookings.ts'
import { reconcileReportedBookings } from '../../../operations/bookings/reconcile-reported-bookings.ts'
import {
  type Finding,
  resolveBookingManually,
} from '../../../operations/bookings/resolve-booking-manually.ts'
import type { Deps } from '../../../operations/context/deps.ts'
import { listIntents } from '../../../store/deliveries/booking-intents.ts'
import { listTimeline } from '../../../store/deliveries/events.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOT_YET = 'it has not confirmed the cancellation yet.'
const CANCELLED = 'it was cancelled there.'

test('what was given up and stands all the same is asked back until its carrier has answered', async (t) => {
  // No worker runs here; only the test acts.
  const { api, uber, uberReports } = await networks(t, { work: false })
  const { fixture } = api
  const { deps } = fixture
  const { db } = deps
  await silence()

  await t.test('silent at first: asked again, and its news is taken meanwhile and after', async () => {
    const { id, reference } = await givenUp()
    // News of strangers is asked for again while a booking like this one is without its answer.
    uber.faults.add({ operation: 'create_delivery', kind: 'cut' })
    await create(api)
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    const before = asked()
    await tellOfAll()
    assert.ok(answers().length > 1)
    assert.deepEqual(await orphanOf(id), { reference, attempts: 1, outcome: null, ended: false })
    assert.equal(asked() - before, 1, 'however often it was told of')
    await laterRecalled(MINUTE_MS)
    assert.equal((await orphanOf(id))?.attempts, 2)
    assert.deepEqual(await message(id), [NOT_YET], 'once')

    uber.faults.clear()
    await laterRecalled(11 * MINUTE_MS)
    const ended = { reference, attempts: 2, outcome: 'cancelled', ended: true }
    assert.deepEqual(await orphanOf(id), ended)
    assert.deepEqual(await message(id), [NOT_YET, CANCELLED])
    assert.equal(cancelled(reference), 1)

    // The event names the other booking, and neither it nor a later event takes its number for the delivery's.
    const own = (await get(api, id)).consignment_number
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    const about = json.data.filter((event: { detail?: string }) =>
      event.detail?.includes('had been given up'),
    )
    assert.deepEqual(
      about.map((event: Record<string, unknown>) => [
        event.consignment_number,
        event.other_consignment_number,
      ]),
      [NOT_YET, CANCELLED].map(() => [undefined, reference]),
    )
    const feed = (await api.call('GET /demo/events?limit=200')).json.data as {
      data: Record<string, unknown>
    }[]
    const ofThis = feed.filter(({ data }) => data.delivery_id === id)
    assert.ok(ofThis.some(({ data }) => data.other_consignment_number === reference))
    for (const { data } of ofThis)
      assert.ok([undefined, own].includes(data.consignment_number as string), `${data.consignment_number}`)

    const after = asked()
    await tellOfAll()
    await laterRecalled(HOUR_MS)
    assert.equal(asked(), after)
    assert.deepEqual([await orphanOf(id), await message(id)], [ended, [NOT_YET, CANCELLED]])
    assert.ok(answers().some(([event]) => event === `event.delivery_status canceled ${reference}`))
    assert.deepEqual([...new Set(answers().map(([, status]) => status))], [200])
  })

  await t.test('a clear no ends the asking: people are to call it', async () => {
    const { id } = await givenUp()
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await tellOfAll()
    await silence()
    await control(uber, '/_fake/advance', { minutes: 60 })
    uber.faults.clear()
    await laterRecalled(MINUTE_MS)
    assert.equal((await orphanOf(id))?.outcome, 'refused')
    const [first, last, ...more] = await message(id)
    assert.deepEqual([first, more], [NOT_YET, []])
    assert.match(last ?? '', /does not let it go \(it is at delivered .*\)\. Call it\.$/)
    const before = asked()
    await laterRecalled(HOUR_MS)
    assert.equal(asked(), before)
  })

  await t.test('whoever dies between writing it down and asking leaves work', async () => {
    const { id, reference } = await givenUp()
    const dying = stepped(deps, (step) => {
      if (step === 'open-stray') throw new Error('died')
    })
    await assert.rejects(learn(dying, id, reference), /died/)
    assert.deepEqual(await orphanOf(id), { reference, attempts: 0, outcome: null, ended: false })
    assert.equal(cancelled(reference), 0)
    await db.query(
      `update orphaned_bookings set lease_until = now() - interval '1 second' where due_at is not null`,
    )
    await laterRecalled(MINUTE_MS)
    assert.deepEqual([(await orphanOf(id))?.outcome, await message(id)], ['cancelled', [CANCELLED]])
    assert.equal(cancelled(reference), 1)
  })

  await t.test('found by many at once it is one, told in the log once and asked back by one', async () => {
    const { id, reference } = await givenUp()
    let errors = 0
    const log = Object.assign(Object.create(deps.log), { error: () => (errors += 1) })
    const before = asked()
    await Promise.all(Array.from({ length: 8 }, () => learn({ ...deps, log }, id, reference)))
    await learn({ ...deps, log }, id, reference)
    assert.deepEqual([errors, asked() - before, await message(id)], [1, 1, [CANCELLED]])
    const { rows } = await db.query('select outcome from orphaned_bookings where delivery_id = $1', [id])
    assert.deepEqual(rows, [{ outcome: 'cancelled' }])
  })

  await t.test('one that its delivery stands on by now is left alone', async () => {
    const { id, reference } = await givenUp()
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await learn(deps, id, reference)
    assert.equal((await orphanOf(id))?.attempts, 1)
    uber.faults.clear()

    uber.faults.add({ operation: 'create_delivery', kind: 'cut', times: null })
    await api.call(`PATCH /demo/deliveries/${id}/book`)
    uber.faults.clear()
    await settled(id, { booked: true, consignmentNumber: reference })
    const before = asked()
    await laterRecalled(11 * MINUTE_MS)
    assert.equal(asked(), before)
    assert.equal(await orphanOf(id), null)
    const { status, consignment_number } = await get(api, id)
    assert.deepEqual([status, consignment_number], ['booked', reference])
    assert.deepEqual(await message(id), [NOT_YET])
  })

  await t.test('after two days without an answer it is given up, and people are to call it', async () => {
    const { id, reference } = await givenUp()
    const { id: poison, reference: other } = await givenUp()
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await learn(deps, id, reference)
    await learn(deps, poison, other)
    // The worker of this row died eight times.
    await db.query('update orphaned_bookings set claims = 8 where delivery_id = $1', [poison])
    await laterRecalled(HOUR_MS)
    assert.deepEqual(
      [(await orphanOf(id))?.outcome, (await orphanOf(poison))?.outcome],
      [null, 'never_confirmed'],
    )
    await laterRecalled(47 * HOUR_MS)
    const before = asked()
    await laterRecalled(HOUR_MS)
    for (const one of [id, poison]) {
      assert.equal((await orphanOf(one))?.outcome, 'never_confirmed')
      assert.deepEqual(await message(one), [
        NOT_YET,
        'it has never confirmed the cancellation, and is asked no more. Call it.',
      ])
    }
    assert.equal(asked(), before)
  })

  await t.test(
    'a person who has the carrier’s word closes it, while it is asked about or after',
    async () => {
      const { id, reference } = await givenUp()
      const settle = (consignment_number: string, confirmed_by = 'Priya at Uber') =>
        api.call(`PATCH /demo/deliveries/${id}/settle-extra-booking`, {
          body: { consignment_number, confirmed_by },
        })
      const extra = async () => (await api.call(`GET /demo/deliveries/${id}/extra-bookings`)).json.data
      uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
      await learn(deps, id, reference)
      const carrier_name = 'uber_direct'
      assert.deepEqual(await extra(), [
        { carrier_name, consignment_number: reference, cancellation: 'unconfirmed' },
      ])
      const wrong = await settle('NOT-THERE')
      assert.deepEqual([wrong.status, wrong.json.code], [409, 'no_extra_booking'])
      const nameless = await settle(reference, ' ')
      assert.deepEqual([nameless.status, nameless.json.code], [422, 'invalid_request'])
      assert.ok((await get(api, id)).attention)

      // A worker that is asking the carrier at this moment must not overwrite the person's word.
      await fixture.setClock(fixture.demo().nowMs() + MINUTE_MS)
      const claimed = await claimOrphanedBookings(deps, 10)
      assert.ok(claimed.some((one) => one.deliveryId === id))
      const closed = await settle(reference)
      assert.equal(closed.status, 200, closed.text)
      assert.equal(closed.json.data.attention, undefined)
      assert.deepEqual([await extra(), (await get(api, id)).attention], [[], undefined])
      await cancelOrphanedBookings(deps, claimed)
      assert.deepEqual(await orphanOf(id), { reference, attempts: 1, outcome: 'cancelled', ended: true })
      const before = asked()
      await laterRecalled(49 * HOUR_MS)
      assert.equal(asked(), before, 'the carrier is asked no more')

      // The same word again, in two requests at once, writes nothing.
      for (const again of await Promise.all([settle(reference), settle(reference)]))
        assert.equal(again.status, 200)
      const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
      const told = json.data.filter(({ detail }: { detail?: string }) => detail?.includes('Priya'))
      assert.deepEqual(
        told.map((event: Record<string, unknown>) => [
          event.detail,
          event.source,
          event.other_consignment_number,
        ]),
        [
          [
            `${carrier_name} has cancelled the extra booking ${reference}. Priya at Uber confirmed it to the store.`,
            'api',
            reference,
          ],
        ],
      )
      const { rows } = await db.query(
        `select from audit_log where object = $1 and action = 'settleExtraBooking'`,
        [id],
      )
      assert.equal(rows.length, 1)
    },
  )

  /** A delivery that Uber booked without answering, and that a person then resolved as not booked. */
  async function givenUp(): Promise<{ id: string; reference: string }> {
    await silence()
    uber.faults.clear()
    const nowMs = Math.max(fixture.demo().nowMs(), uber.clock.nowMs())
    await fixture.setClock(nowMs)
    await control(uber, '/_fake/advance', { to: new Date(nowMs).toISOString() })
    uber.faults.add({ operation: 'create_delivery', kind: 'lost' })
    const readyAt = new Date(nowMs + 30 * MINUTE_MS).toISOString()
    const { id, status } = await create(api, { ready_for_pickup_at: readyAt })
    assert.equal(status, 'requested')
    const made = uber.ledger.entries({ what: 'delivery_created' }).at(-1)
    await settled(id, { booked: false })
    return { id, reference: String(made?.delivery_id) }
  }

  /** The account's patience has ended, and a person says what the carrier's people said. */
  async function settled(id: string, finding: Finding): Promise<void> {
    await db.query(`update deliveries set status = 'on_hold', due_at = null where delivery_id = $1`, [id])
    const name = { idOrReference: id, storeReference: null }
    await resolveBookingManually(deps, fixture.demo(), anyone, name, finding, async () => null)
  }

  function silence(): Promise<unknown> {
    return fetch(`${uber.url}/_fake/webhooks`, { method: 'DELETE' })
  }

  /** Only until a courier is sent. */
  async function tellOfAll(): Promise<void> {
    await uberReports()
    await control(uber, '/_fake/advance', { minutes: 46 })
  }

  /** How our door answered the network's webhooks. */
  function answers(): unknown[][] {
    return uber.ledger.entries({ what: 'webhook' }).map(({ event, status }) => [event, status])
  }

  /** Advances the account's clock and runs the due work. */
  async function laterRecalled(ms: number): Promise<void> {
    await fixture.setClock(fixture.demo().nowMs() + ms)
    await cancelOrphanedBookings(deps, await claimOrphanedBookings(deps, 10))
  }

  /** As somebody does who hears that Uber has it. */
  async function learn(by: Deps, id: string, consignmentNumber: string): Promise<void> {
    const [intent] = await listIntents(db, 'demo', id)
    assert.ok(intent)
    const booking = { consignmentNumber, articles: [], costCents: 100 }
    const told = { key: intent.key, consignmentNumber, isOver: false, toBooking: () => booking }
    await reconcileReportedBookings(by, fixture.demo(), intent.provider, [told])
  }

  async function orphanOf(id: string) {
    const { rows } = await db.query(
      'select reference, attempts, outcome, due_at is null as ended from orphaned_bookings where delivery_id = $1',
      [id],
    )
    return rows[0] ?? null
  }

  async function message(id: string): Promise<(string | undefined)[]> {
    const timeline = await listTimeline(db, 'demo', id)
    const ours = timeline.flatMap(({ detail }) =>
      detail?.includes('which had been given up') ? [detail] : [],
    )
    return ours.map((detail) => detail.split(': ').at(-1))
  }

  function asked(): number {
    return uber.ledger.entries({ what: 'request' }).filter(({ operation }) => operation === 'cancel_delivery')
      .length
  }

  function cancelled(reference: string): number {
    return uber.ledger.entries({ what: 'delivery_canceled' }).filter((one) => one.delivery_id === reference)
      .length
  }
})
