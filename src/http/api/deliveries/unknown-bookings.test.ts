import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunningFake } from '../../../../fakes/fake.ts'
import type { Api } from '../../../../test/api.ts'
import {
  advance,
  countBookings,
  create,
  get,
  networks,
  untilDelivery,
} from '../../../../test/courier-networks.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { control } from '../../../../test/live-carriers.ts'
import { listTimeline } from '../../../store/deliveries/events.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

test('a network’s tracking update confirms a booking whose response was lost', async (t) => {
  const { api, uber, dash } = await networks(t, { work: false })
  // No worker retries here: the webhook alone books it.
  await control(uber, '/_fake/webhook-troubles', { repeated_every: 1 })
  uber.faults.add({ operation: 'create_delivery', kind: 'lost' })
  const { id } = await create(api)
  await advance(api, uber, 46)
  const confirmed = await untilDelivery(api, id, ({ status }) => status !== 'requested')
  assert.match(confirmed.consignment_number, /^del_/)
  assert.match(confirmed.parcels[0].article_id, /^UD/)
  assert.equal(confirmed.status_reason, undefined)
  assert.equal(countBookings(uber), 1)
  assert.deepEqual(
    (await events(api, id)).filter(({ to }) => to === 'booked').map(({ source }) => source),
    ['carrier'],
  )

  await control(uber, '/_fake/couriers', { free: false })
  dash.faults.add({ operation: 'create_delivery', kind: 'lost' })
  const other = await create(api)
  assert.equal((await get(api, other.id)).status, 'requested')
  dash.clock.advance(46 * MINUTE_MS)
  await advance(api, dash, 90)
  const otherBooked = await untilDelivery(api, other.id, ({ status }) => status !== 'requested')
  assert.equal(otherBooked.carrier_provider, 'doordash')
  assert.equal(countBookings(dash), 1)
})

test('on hold, Drover keeps looking for the booking', async (t) => {
  const { api, uber, uberReports } = await networks(t)
  const dropWebhooks = () => fetch(`${uber.url}/_fake/webhooks`, { method: 'DELETE' })
  const reportAll = async () => {
    await uberReports()
    // Only until a courier is sent.
    await control(uber, '/_fake/advance', { minutes: 46 })
    await dropWebhooks()
  }
  await dropWebhooks()

  await t.test('found at the carrier: it is booked, and the search ends', async () => {
    const id = await createHeldBooking(api, uber, 'lost')
    assert.match((await get(api, id)).status_remedy, /record their answer/)
    uber.faults.clear()
    await advanceClock(api, 7 * MINUTE_MS)
    const booked = await untilDelivery(api, id, ({ status }) => status === 'booked')
    assert.equal(booked.status_reason, undefined)
    assert.equal(countBookings(uber), 1)
    const details = await events(api, id)
    assert.deepEqual(
      details.filter(({ to }) => to !== null).map(({ to }) => to),
      ['created', 'requested', 'on_hold', 'requested', 'booked'],
    )
  })

  await t.test('an update of the booking ends the hold as well', async () => {
    const id = await createHeldBooking(api, uber, 'lost')
    await reportAll()
    const confirmed = await untilDelivery(api, id, ({ status }) => status !== 'on_hold')
    assert.match(confirmed.consignment_number, /^del_/)
    assert.equal(countBookings(uber), 2)
  })

  await t.test('never found: it stays on hold and says that it may be booked again', async () => {
    const before = countBookings(uber)
    const id = await createHeldBooking(api, uber, 'cut')
    uber.faults.clear()
    await advanceClock(api, 7 * MINUTE_MS)
    const free = await untilDelivery(api, id, ({ status_reason }) =>
      /never accepted the booking/.test(status_reason),
    )
    assert.equal(free.status, 'on_hold')
    assert.equal(countBookings(uber), before)
    assert.match((await events(api, id)).at(-1)?.detail ?? '', /no courier will come/)
    const again = await api.call(`PATCH /demo/deliveries/${id}/amend`, {
      body: { ready_for_pickup_at: new Date(api.fixture.demo().nowMs() + HOUR_MS).toISOString() },
    })
    assert.equal(again.status, 200, again.text)
  })

  await t.test('cancelled meanwhile: it is cancelled at the carrier where it is found', async () => {
    for (const [fault, cancelledThere] of [
      ['lost', 1],
      ['cut', 0],
    ] as const) {
      const before = countCancellations(uber)
      const id = await createHeldBooking(api, uber, fault)
      const refused = await api.call(`PATCH /demo/deliveries/${id}/request-cancel`, { body: {} })
      assert.deepEqual([refused.status, refused.json.code], [409, 'cancellation_pending'])
      uber.faults.clear()
      await advanceClock(api, 7 * MINUTE_MS)
      await untilDelivery(api, id, ({ status }) => status === 'cancelled')
      assert.equal(countCancellations(uber) - before, cancelledThere)
    }
  })

  await t.test('a clerk confirms it with the network’s own number', async () => {
    const id = await createHeldBooking(api, uber, 'lost')
    const number = uber.ledger.entries({ what: 'delivery_created' }).at(-1)?.delivery_id
    const body = { booked: true, consignment_number: number }
    const settled = await api.call(`PATCH /demo/deliveries/${id}/settle-booking`, { body })
    assert.equal(settled.status, 200, settled.text)
    assert.deepEqual([settled.json.data.status, settled.json.data.consignment_number], ['booked', number])
  })

  await t.test('a person said it was not booked, but it was: it is cancelled there', async () => {
    const before = countCancellations(uber)
    const id = await createHeldBooking(api, uber, 'lost')
    uber.faults.clear()
    await control(uber, '/_fake/couriers', { free: false })
    const settled = await api.call(`PATCH /demo/deliveries/${id}/settle-booking`, {
      body: { booked: false },
    })
    assert.equal(settled.status, 200, settled.text)
    const rebooked = await untilDelivery(api, id, ({ status }) => status === 'booked')
    assert.notEqual(rebooked.carrier_provider, 'uber_direct')
    // Silent at first, so that the worker receives the answer.
    uber.faults.add({ operation: 'cancel_delivery', kind: 'cut' })
    await reportAll()
    await advanceClock(api, MINUTE_MS)
    await untilDelivery(api, id, () => countCancellations(uber) > before)
    const listMessages = async () => {
      const details = (await events(api, id)).map(({ detail }) => detail ?? '')
      return details.filter((detail) => detail.includes('that Drover had abandoned')).map(lastOf)
    }
    await untilDelivery(api, id, async () => (await listMessages()).length > 1)
    assert.deepEqual(await listMessages(), [
      'they have not confirmed the cancellation yet.',
      'they have cancelled it.',
    ])
    assert.equal(countCancellations(uber) - before, 1)
    const now = await get(api, id)
    assert.equal(now.consignment_number, rebooked.consignment_number)
  })
})

function lastOf(sentence: string): string | undefined {
  return sentence.split(': ').at(-1)
}

/** Weekdays, counted from the first; each of them begins at ten. */
const DAYS = [0, 1, 2, 3, 6, 7, 8]

/** A delivery on hold: Uber did not answer the booking until the attempts ended. Each begins on another day. */
async function createHeldBooking(api: Api, uber: RunningFake, kind: 'lost' | 'cut'): Promise<string> {
  const tenMs = TUESDAY_TEN_MS + (DAYS.shift() as number) * 24 * HOUR_MS
  if (tenMs > uber.clock.nowMs()) await advanceBothClocks(api, uber, tenMs)
  uber.faults.clear()
  uber.faults.add({ operation: 'create_delivery', kind, times: null })
  const readyAt = new Date(tenMs + 30 * MINUTE_MS).toISOString()
  const { id } = await create(api, { ready_for_pickup_at: readyAt })
  await advanceClock(api, 5 * HOUR_MS)
  await untilDelivery(api, id, ({ status }) => status === 'on_hold')
  return id
}

/** Advances the account's clock, but not the network's. */
function advanceClock(api: Api, ms: number): Promise<void> {
  return api.fixture.setClock(api.fixture.demo().nowMs() + ms)
}

/** Advances both clocks and delivers the network's events. */
async function advanceBothClocks(api: Api, uber: RunningFake, toMs: number): Promise<void> {
  await api.fixture.setClock(toMs)
  await control(uber, '/_fake/advance', { to: new Date(toMs).toISOString() })
}

function countCancellations(fake: RunningFake): number {
  return fake.ledger.entries({ what: 'delivery_canceled' }).length
}

function events(api: Api, id: string) {
  return listTimeline(api.fixture.deps.db, 'demo', id)
}
