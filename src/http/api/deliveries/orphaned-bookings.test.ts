import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, get, networks } from '../../../../test/courier-networks.ts'
import { anyone } from '../../../../test/fixture.ts'
import { recordSteps } from '../../../../test/kills/record-steps.ts'
import { control } from '../../../../test/live-carriers.ts'
import { reconcileReportedBookings } from '../../../operations/bookings/reconcile-reported-bookings.ts'
import {
  type Finding,
  resolveBookingManually,
} from '../../../operations/bookings/resolve-booking-manually.ts'
import type { Deps } from '../../../operations/deps.ts'
import {
  cancelOrphanedBookings,
  claimOrphanedBookings,
} from '../../../operations/orphaned-bookings/cancel-orphaned-bookings.ts'
import { listIntents } from '../../../store/deliveries/booking-intents.ts'
import { listTimeline } from '../../../store/deliveries/events.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOT_YET = 'they have not confirmed the cancellation yet.'
const CANCELLED = 'they have cancelled it.'

test('an orphaned booking is cancelled until its carrier has answered', async (t) => {
  // No worker runs here; only the test acts.
  const { api, uber, uberReports } = await networks(t, { work: false })
  const { fixture } = api
  const { deps } = fixture
  const { db } = deps
  await dropWebhooks()

  await t.test('no answer at first: the cancel is retried, and updates are accepted meanwhile', async () => {
    const { id, reference } = await createOrphan()
    // An update of an unknown booking is polled again while a booking like this one has no answer.
    uber.faults.add({ operation: 'create_delivery', kind: 'cut' })
    await create(api)
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    const before = countCancelRequests()
    await reportAll()
    assert.ok(listWebhookResponses().length > 1)
    assert.deepEqual(await findOrphan(id), { reference, attempts: 1, outcome: null, ended: false })
    assert.equal(countCancelRequests() - before, 1, 'however many reports arrive')
    await advanceAndCancel(MINUTE_MS)
    assert.equal((await findOrphan(id))?.attempts, 2)
    assert.deepEqual(await listMessages(id), [NOT_YET], 'once')

    uber.faults.clear()
    await advanceAndCancel(11 * MINUTE_MS)
    const ended = { reference, attempts: 2, outcome: 'cancelled', ended: true }
    assert.deepEqual(await findOrphan(id), ended)
    assert.deepEqual(await listMessages(id), [NOT_YET, CANCELLED])
    assert.equal(countCancellations(reference), 1)

    // The event names the other booking, and neither it nor a later event takes its number for the delivery's.
    const own = (await get(api, id)).consignment_number
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    const about = json.data.filter((event: { detail?: string }) =>
      event.detail?.includes('that Drover had abandoned'),
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
    const ofDelivery = feed.filter(({ data }) => data.delivery_id === id)
    assert.ok(ofDelivery.some(({ data }) => data.other_consignment_number === reference))
    for (const { data } of ofDelivery)
      assert.ok([undefined, own].includes(data.consignment_number as string), `${data.consignment_number}`)

    const after = countCancelRequests()
    await reportAll()
    await advanceAndCancel(HOUR_MS)
    assert.equal(countCancelRequests(), after)
    assert.deepEqual([await findOrphan(id), await listMessages(id)], [ended, [NOT_YET, CANCELLED]])
    assert.ok(
      listWebhookResponses().some(([event]) => event === `event.delivery_status canceled ${reference}`),
    )
    assert.deepEqual([...new Set(listWebhookResponses().map(([, status]) => status))], [200])
  })

  await t.test('a clear refusal ends the retries: a clerk must ring the carrier', async () => {
    const { id } = await createOrphan()
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await reportAll()
    await dropWebhooks()
    await control(uber, '/_fake/advance', { minutes: 60 })
    uber.faults.clear()
    await advanceAndCancel(MINUTE_MS)
    assert.equal((await findOrphan(id))?.outcome, 'refused')
    const [first, last, ...more] = await listMessages(id)
    assert.deepEqual([first, more], [NOT_YET, []])
    assert.match(last ?? '', /they refused to cancel it \(its status is delivered.*\)\. Ring them\.$/)
    const before = countCancelRequests()
    await advanceAndCancel(HOUR_MS)
    assert.equal(countCancelRequests(), before)
  })

  await t.test('a crash between recording and cancelling leaves work for the worker', async () => {
    const { id, reference } = await createOrphan()
    const crashing = recordSteps(deps, (step) => {
      if (step === 'record-orphan') throw new Error('died')
    })
    await assert.rejects(reportBooking(crashing, id, reference), /died/)
    assert.deepEqual(await findOrphan(id), { reference, attempts: 0, outcome: null, ended: false })
    assert.equal(countCancellations(reference), 0)
    await advanceAndCancel(MINUTE_MS)
    assert.deepEqual([(await findOrphan(id))?.outcome, await listMessages(id)], ['cancelled', [CANCELLED]])
    assert.equal(countCancellations(reference), 1)
  })

  await t.test('eight processes that find it record, log and cancel one booking', async () => {
    const { id, reference } = await createOrphan()
    let errors = 0
    const log = Object.assign(Object.create(deps.log), { error: () => (errors += 1) })
    const before = countCancelRequests()
    await Promise.all(Array.from({ length: 8 }, () => reportBooking({ ...deps, log }, id, reference)))
    await reportBooking({ ...deps, log }, id, reference)
    await Promise.all([cancelDue(), cancelDue()])
    assert.deepEqual([errors, countCancelRequests() - before, await listMessages(id)], [1, 1, [CANCELLED]])
    const { rows } = await db.query('select outcome from orphaned_bookings where delivery_id = $1', [id])
    assert.deepEqual(rows, [{ outcome: 'cancelled' }])
  })

  await t.test('a booking that its delivery uses by now is not cancelled', async () => {
    const { id, reference } = await createOrphan()
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await reportBooking(deps, id, reference)
    await cancelDue()
    assert.equal((await findOrphan(id))?.attempts, 1)
    uber.faults.clear()

    uber.faults.add({ operation: 'create_delivery', kind: 'cut', times: null })
    await api.call(`PATCH /demo/deliveries/${id}/book`)
    uber.faults.clear()
    await resolveManually(id, { booked: true, consignmentNumber: reference })
    const before = countCancelRequests()
    await advanceAndCancel(11 * MINUTE_MS)
    assert.equal(countCancelRequests(), before)
    assert.equal(await findOrphan(id), null)
    const { status, consignment_number } = await get(api, id)
    assert.deepEqual([status, consignment_number], ['booked', reference])
    assert.deepEqual(await listMessages(id), [NOT_YET])
  })

  await t.test('after two days without a response a clerk must ring the carrier', async () => {
    const { id, reference } = await createOrphan()
    const { id: poison, reference: other } = await createOrphan()
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await reportBooking(deps, id, reference)
    await reportBooking(deps, poison, other)
    await cancelDue()
    // The worker of this row died eight times.
    await db.query('update orphaned_bookings set claims = 8 where delivery_id = $1', [poison])
    await advanceAndCancel(HOUR_MS)
    assert.deepEqual(
      [(await findOrphan(id))?.outcome, (await findOrphan(poison))?.outcome],
      [null, 'never_confirmed'],
    )
    await advanceAndCancel(47 * HOUR_MS)
    const before = countCancelRequests()
    await advanceAndCancel(HOUR_MS)
    for (const one of [id, poison]) {
      assert.equal((await findOrphan(one))?.outcome, 'never_confirmed')
      assert.deepEqual(await listMessages(one), [
        NOT_YET,
        'they never confirmed the cancellation, and Drover has stopped asking. Ring them.',
      ])
    }
    assert.equal(countCancelRequests(), before)
  })

  await t.test('a person closes it with the carrier’s confirmation, during a retry or later', async () => {
    const { id, reference } = await createOrphan()
    const settle = (consignment_number: string, confirmed_by = 'Priya at Uber') =>
      api.call(`PATCH /demo/deliveries/${id}/settle-extra-booking`, {
        body: { consignment_number, confirmed_by },
      })
    const extra = async () => (await api.call(`GET /demo/deliveries/${id}/extra-bookings`)).json.data
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut', times: null })
    await reportBooking(deps, id, reference)
    await cancelDue()
    const carrier_name = 'uber_direct'
    assert.deepEqual(await extra(), [
      { carrier_name, consignment_number: reference, cancellation: 'unconfirmed' },
    ])
    const wrong = await settle('NOT-THERE')
    assert.deepEqual([wrong.status, wrong.json.code], [409, 'no_extra_booking'])
    const nameless = await settle(reference, ' ')
    assert.deepEqual([nameless.status, nameless.json.code], [422, 'invalid_request'])
    assert.ok((await get(api, id)).attention)

    // A worker that is sending a cancel at this moment must not overwrite the person's decision.
    await fixture.setClock(fixture.demo().nowMs() + MINUTE_MS)
    const claimed = await claimOrphanedBookings(deps, 10)
    assert.ok(claimed.some((one) => one.deliveryId === id))
    const closed = await settle(reference)
    assert.equal(closed.status, 200, closed.text)
    assert.equal(closed.json.data.attention, undefined)
    assert.deepEqual([await extra(), (await get(api, id)).attention], [[], undefined])
    await cancelOrphanedBookings(deps, claimed)
    assert.deepEqual(await findOrphan(id), { reference, attempts: 1, outcome: 'cancelled', ended: true })
    const before = countCancelRequests()
    await advanceAndCancel(49 * HOUR_MS)
    assert.equal(countCancelRequests(), before, 'no more cancel requests')

    // The same decision again, in two requests at once, writes nothing.
    for (const again of await Promise.all([settle(reference), settle(reference)]))
      assert.equal(again.status, 200)
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    const reported = json.data.filter(({ detail }: { detail?: string }) => detail?.includes('Priya'))
    assert.deepEqual(
      reported.map((event: Record<string, unknown>) => [
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
  })

  /** A delivery that Uber booked without answering, and that a person then resolved as not booked. */
  async function createOrphan(): Promise<{ id: string; reference: string }> {
    await dropWebhooks()
    uber.faults.clear()
    const nowMs = Math.max(fixture.demo().nowMs(), uber.clock.nowMs())
    await fixture.setClock(nowMs)
    await control(uber, '/_fake/advance', { to: new Date(nowMs).toISOString() })
    uber.faults.add({ operation: 'create_delivery', kind: 'lost' })
    const readyAt = new Date(nowMs + 30 * MINUTE_MS).toISOString()
    const { id, status } = await create(api, { ready_for_pickup_at: readyAt })
    assert.equal(status, 'requested')
    const entry = uber.ledger.entries({ what: 'delivery_created' }).at(-1)
    await resolveManually(id, { booked: false })
    return { id, reference: String(entry?.delivery_id) }
  }

  /** The booking attempts have ended, and a person records what the carrier's staff said. */
  async function resolveManually(id: string, finding: Finding): Promise<void> {
    await db.query(`update deliveries set status = 'on_hold', due_at = null where delivery_id = $1`, [id])
    const name = { idOrReference: id, storeReference: null }
    await resolveBookingManually(deps, fixture.demo(), anyone, name, finding, async () => null)
  }

  function dropWebhooks(): Promise<unknown> {
    return fetch(`${uber.url}/_fake/webhooks`, { method: 'DELETE' })
  }

  /** Only until a courier is sent. */
  async function reportAll(): Promise<void> {
    await uberReports()
    await control(uber, '/_fake/advance', { minutes: 46 })
    await cancelDue()
  }

  /** Our responses to the network's webhooks. */
  function listWebhookResponses(): unknown[][] {
    return uber.ledger.entries({ what: 'webhook' }).map(({ event, status }) => [event, status])
  }

  /** Advances the account's clock and runs the due work. */
  async function advanceAndCancel(ms: number): Promise<void> {
    await fixture.setClock(fixture.demo().nowMs() + ms)
    await cancelDue()
  }

  /** As a worker does. */
  async function cancelDue(): Promise<void> {
    await cancelOrphanedBookings(deps, await claimOrphanedBookings(deps, 10))
  }

  /** What polling does when Uber reports that it has the delivery. */
  async function reportBooking(by: Deps, id: string, consignmentNumber: string): Promise<void> {
    const [intent] = await listIntents(db, 'demo', id)
    assert.ok(intent)
    const booking = { consignmentNumber, articles: [], costCents: 100 }
    const reported = { key: intent.key, consignmentNumber, isOver: false, toBooking: () => booking }
    await reconcileReportedBookings(by, fixture.demo(), intent.provider, [reported])
  }

  async function findOrphan(id: string) {
    const { rows } = await db.query(
      'select reference, attempts, outcome, due_at is null as ended from orphaned_bookings where delivery_id = $1',
      [id],
    )
    return rows[0] ?? null
  }

  async function listMessages(id: string): Promise<(string | undefined)[]> {
    const timeline = await listTimeline(db, 'demo', id)
    const ours = timeline.flatMap(({ detail }) =>
      detail?.includes('that Drover had abandoned') ? [detail] : [],
    )
    return ours.map((detail) => detail.split(': ').at(-1))
  }

  function countCancelRequests(): number {
    return uber.ledger.entries({ what: 'request' }).filter(({ operation }) => operation === 'cancel_delivery')
      .length
  }

  function countCancellations(reference: string): number {
    return uber.ledger.entries({ what: 'delivery_canceled' }).filter((one) => one.delivery_id === reference)
      .length
  }
})
