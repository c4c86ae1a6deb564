import assert from 'node:assert/strict'
import { test } from 'node:test'

import { book, freight, read } from '../../../test/booked-deliveries.ts'
import { anyone, type Fixture, testFixture } from '../../../test/fixture.ts'
import { activeBookingsAt } from '../../../test/kills/crash-fixture.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import type { Amendment } from '../../domain/delivery/amend.ts'
import { findCourierPosition, storeCourierPosition } from '../../store/carriers/courier-positions.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { listSandboxLedger } from '../../store/sandbox/sandbox-ledger.ts'
import { amendDelivery } from '../deliveries/amend-delivery.ts'
import { deliveryOptions } from '../deliveries/delivery-decision.ts'
import { deliveryTimeline } from '../deliveries/delivery-timeline.ts'
import type { Deps } from '../deps.ts'
import { manifestStore } from '../manifests/manifest-store.ts'
import { bookNow } from './book-now.ts'
import { cancelAtCarrier } from './cancel-at-carrier.ts'
import { reassignDelivery } from './reassign-delivery.ts'
import { replanDelivery } from './replan-delivery.ts'
import { requestCancel } from './request-cancel.ts'

const CHANGED: Amendment = {
  ...(Object.fromEntries(
    ['reference', 'deliveryType', 'specialInstructions', 'address', 'customer', 'lineItems', 'parcels'].map(
      (field) => [field, null],
    ),
  ) as unknown as Omit<Amendment, 'readyForPickupAt'>),
  readyForPickupAt: timestamp('2026-11-24T14:00:00+11:00'),
}
const willing = { reason: null, carrierReleaseConfirmed: false }

test('a booked delivery is reassigned once the first carrier has cancelled it', async (t) => {
  const fixture = await testFixture(t)
  const { deps, demo } = fixture
  const reassign = (reference: string, purpose = willing, on: Deps = deps) =>
    reassignDelivery(on, demo(), anyone, nameOf(reference), purpose)

  const first = await book(fixture, 'R-1', { deliveryType: null })
  await until(async () => (await countMessages(fixture, 'R-1', 'booked')) === 2, 'the customer gets messages')
  await deps.db.query(
    `insert into messages (account_id, message_id, kind, recipient, template, delivery_id, status, created_at, expires_at, fence)
     values ('demo', 'msg_unsent', 'sms', '', 'booked', $1, 'queued', now(), now(), 5)`,
    [first.id],
  )
  await reassign('R-1')
  const second = await decided(fixture, 'R-1')
  assert.equal(second.status, 'booked')
  assert.notEqual(second.chosen?.provider, first.chosen?.provider)
  assert.deepEqual(await activeBookingsAt(fixture, 'R-1'), [second.consignmentNumber])
  const { rows } = await deps.db.query(`select status, fence from messages where message_id = 'msg_unsent'`)
  assert.deepEqual(
    rows,
    [{ status: 'expired', fence: 6 }],
    'a stalled worker can no longer change the message',
  )
  await deps.db.query(`delete from messages where message_id = 'msg_unsent'`)
  const timeline = await deliveryTimeline(deps, demo(), anyone, nameOf('R-1'))
  assert.deepEqual(timeline.flatMap(({ from, to }) => (to ? [`${from}→${to}`] : [])).slice(-4), [
    'requested→booked',
    'booked→reassigned',
    'reassigned→requested',
    'requested→booked',
  ])
  await until(
    async () => (await countMessages(fixture, 'R-1', 'rebooked')) === 2,
    'the customer gets messages about the change',
  )
  assert.equal(await countMessages(fixture, 'R-1', 'booked'), 2, 'and of the first booking not once more')

  // A confirmation as late as this is for the first booking, not the current one.
  const row = await findDelivery(deps.db, 'demo', first.id)
  const late = {
    ...row!,
    carrier_provider: first.chosen!.provider,
    consignment_number: first.consignmentNumber,
  }
  for (const replan_requested of [true, false]) {
    const answer = await cancelAtCarrier(
      deps,
      demo(),
      { ...late, replan_requested },
      { source: 'worker', carrierReleaseConfirmed: false },
    )
    assert.equal(answer.kind, 'unconfirmed')
  }
  assert.equal((await read(fixture, 'R-1')).consignmentNumber, second.consignmentNumber)

  const quiet = { deliveryType: null, suppressNotifications: true }
  await book(fixture, 'R-2', quiet)
  await reassign('R-2')
  assert.equal(await countMessages(fixture, 'R-2', 'rebooked'), 0)

  await book(fixture, 'R-3', freight)
  await assert.rejects(
    reassign('R-3'),
    (refusal: { code: string; details: { exclusions: { rule: string }[] } }) => {
      assert.equal(refusal.code, 'no_service_available')
      return refusal.details.exclusions.some(({ rule }) => rule === 'excluded_by_reassignment')
    },
  )
  assert.deepEqual(await operations(fixture, 'R-3'), ['book'], 'its carrier was not asked for nothing')
  assert.equal((await read(fixture, 'R-3')).status, 'booked')

  await book(fixture, 'R-4')
  await manifestStore(deps, demo(), anyone, { ...wholeStore, references: ['R-4'] }, null)
  await assert.rejects(reassign('R-4'), { code: 'not_reassignable', message: /on a manifest/ })
})

test('a cancellation during a reassignment wins: no other carrier is booked', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const { id } = await book(fixture, 'W-1', { deliveryType: null })
  const first = makeGatedCarriers(deps)
  const reassigned = reassignDelivery(first.deps, demo(), anyone, nameOf('W-1'), willing)
  await first.asked
  const second = makeGatedCarriers(deps)
  const cancelled = requestCancel(second.deps, demo(), anyone, nameOf('W-1'), {
    ...willing,
    reason: 'Sold out',
  })
  await second.asked
  first.open()
  const seen = await reassigned
  assert.equal(seen.status, 'cancelled')
  second.open()
  assert.equal((await cancelled).status, 'cancelled')
  const row = await findDelivery(deps.db, 'demo', id)
  assert.deepEqual([row?.status, row?.status_reason, row?.due_at], ['cancelled', 'Sold out', null])
  assert.deepEqual(await activeBookingsAt(fixture, 'W-1'), [])
})

/** Carriers whose cancellations wait for `open`. */
function makeGatedCarriers(deps: Deps) {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const carrierOf: Deps['carrierOf'] = (...of) => {
    const carrier = deps.carrierOf(...of)
    if (!carrier?.cancel) return carrier
    const cancel: typeof carrier.cancel = async (ref) => {
      asked.resolve()
      await gate.promise
      return carrier.cancel!(ref)
    }
    return { ...carrier, cancel }
  }
  return { deps: { ...deps, carrierOf }, asked: asked.promise, open: () => gate.resolve() }
}

test('the options of a reassignment match the later choice, without services that refused it', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const options = (reference: string, elsewhere: boolean, on: Deps = deps) =>
    deliveryOptions(on, demo(), anyone, nameOf(reference), { elsewhere })
  const words = ({ explanation }: Awaited<ReturnType<typeof options>>) =>
    explanation.services.map((one) => `${one.service} ${one.eligible ? 'may' : one.rule}`)

  const first = await book(fixture, 'O-1', { deliveryType: null })
  assert.equal(first.chosen?.service, 'TODAY')
  assert.deepEqual(words(await options('O-1', false)), [
    'TODAY may',
    'NOW may',
    'ROAD may',
    'AIR may',
    'FREIGHT parcel_type',
  ])
  const others = await options('O-1', true)
  assert.deepEqual(words(others), ['ROAD may', 'AIR may', 'FREIGHT parcel_type'])
  assert.equal(others.accountVersion, first.accountVersion)
  assert.deepEqual(await operations(fixture, 'O-1'), ['book'], 'nobody was asked to do anything')
  assert.deepEqual(await read(fixture, 'O-1'), first)
  await reassignDelivery(deps, demo(), anyone, nameOf('O-1'), willing)
  assert.equal((await decided(fixture, 'O-1')).chosen?.service, 'ROAD')

  const refusing: Deps = {
    ...deps,
    carrierOf(entry, provider) {
      const carrier = deps.carrierOf(entry, provider)
      const book = async () => ({ kind: 'no', retry: 'another_carrier', message: 'full' }) as const
      return carrier && provider === 'swiftly' ? { ...carrier, book } : carrier
    },
  }
  const second = await book({ ...fixture, deps: refusing }, 'O-2', { deliveryType: null })
  assert.equal(second.chosen?.service, 'ROAD')
  assert.deepEqual(words(await options('O-2', true)), ['TODAY refused', 'NOW refused', 'FREIGHT parcel_type'])
  await assert.rejects(reassignDelivery(deps, demo(), anyone, nameOf('O-2'), willing), {
    code: 'no_service_available',
    message: /refused it: full/,
  })
  assert.equal(
    (await operations(fixture, 'O-2')).includes('cancel'),
    false,
    'it was not given up for nothing',
  )
  assert.equal((await read(fixture, 'O-2')).status, 'booked')
})

test('nothing else is booked until the carrier answers, unless a person confirms its release', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const saying = (outcome: object): Deps => ({
    ...deps,
    carrierOf(entry, provider) {
      const carrier = deps.carrierOf(entry, provider)
      return carrier && { ...carrier, cancel: async () => outcome as never }
    },
  })
  const silent = saying({ kind: 'unknown', message: 'nothing' })
  const keeping = saying({ kind: 'no', retry: 'nobody', message: 'The driver has it.' })
  const reassign = (on: Deps, carrierReleaseConfirmed: boolean) =>
    reassignDelivery(on, demo(), anyone, nameOf('S-1'), { reason: 'too slow', carrierReleaseConfirmed })

  const first = await book(fixture, 'S-1', { deliveryType: null })
  for (const carrierReleaseConfirmed of [false, true]) {
    await assert.rejects(reassign(keeping, carrierReleaseConfirmed), {
      code: 'cancel_refused',
      message: /The driver has it/,
    })
  }
  await assert.rejects(reassign(silent, false), { code: 'cancellation_pending' })
  const { purpose, reason } = (await read(fixture, 'S-1')).pendingCancellation ?? {}
  assert.deepEqual([purpose, reason], ['replan', 'too slow'])
  assert.deepEqual(await operations(fixture, 'S-1'), ['book'])
  assert.equal((await read(fixture, 'S-1')).consignmentNumber, first.consignmentNumber)

  await reassign(silent, true)
  const second = await decided(fixture, 'S-1')
  assert.equal(second.status, 'booked')
  assert.notEqual(second.chosen?.provider, first.chosen?.provider)

  await assert.rejects(requestCancel(silent, demo(), anyone, nameOf('S-1'), willing), {
    code: 'cancellation_pending',
  })
  assert.equal((await read(fixture, 'S-1')).pendingCancellation?.purpose, 'cancel')
  await assert.rejects(reassign(silent, false), { code: 'not_reassignable', message: /being cancelled/ })
  const word = { reason: 'they rang', carrierReleaseConfirmed: true }
  const over = await requestCancel(silent, demo(), anyone, nameOf('S-1'), word)
  assert.deepEqual([over.status, over.pendingCancellation], ['cancelled', null])
})

test('a carrier that released a delivery is tried again only on a person’s request', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const first = await book(fixture, 'T-1', { deliveryType: null })
  const nobody: Deps = {
    ...deps,
    carrierOf(entry, provider) {
      const carrier = deps.carrierOf(entry, provider)
      const book = async () => ({ kind: 'no', retry: 'another_carrier', message: 'full' }) as const
      return carrier && { ...carrier, book }
    },
  }
  await reassignDelivery(nobody, demo(), anyone, nameOf('T-1'), willing)
  const held = await decided(fixture, 'T-1')
  assert.equal(held.status, 'on_hold')
  assert.match(held.statusReason ?? '', /Every carrier that could take it has refused it/)
  await bookNow(deps, demo(), anyone, nameOf('T-1'))
  const again = await decided(fixture, 'T-1')
  assert.equal(again.chosen?.provider, first.chosen?.provider)
})

test('an amend after a reassignment excludes the earlier carrier; an amend of a delivery on hold excludes no carrier', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const first = await book(fixture, 'U-1', { deliveryType: null })
  const { account_id: accountId } = (await findDelivery(deps.db, 'demo', first.id))!
  await deps.db.query(
    `update deliveries set status = 'requested', consignment_number = null, carrier_ref = null, carrier_provider = null,
       pending_attempt = null, excluded_providers = array[$3] where account_id = $1 and delivery_id = $2`,
    [accountId, first.id, first.chosen?.provider],
  )
  const amend = () =>
    amendDelivery(deps, demo(), anyone, nameOf('U-1'), CHANGED, async (_, amended) => amended)
  assert.notEqual((await amend()).chosen?.provider, first.chosen?.provider)

  await deps.db.query(`update deliveries set status = 'on_hold' where delivery_id = $1`, [first.id])
  assert.equal((await amend()).chosen?.provider, first.chosen?.provider)
  assert.deepEqual((await findDelivery(deps.db, 'demo', first.id))?.excluded_providers, [])
})

test('after a reassignment the earlier carrier’s message, label and number are gone', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const { id } = await book(fixture, 'V-1', { deliveryType: null })
  await deps.db.query(
    `update deliveries set sub_status = 'delayed', carrier_event_at = now(), manifest_status = 'ready'
     where delivery_id = $1`,
    [id],
  )
  await storeCourierPosition(
    deps.db,
    { accountId: 'demo', deliveryId: id },
    { atMs: demo().nowMs(), lat: -37.8, lng: 144.9, courierName: 'Kim' },
  )
  await fixture.setClock(demo().nowMs() + 3_600_000)
  const nowMs = demo().nowMs()
  const planned = await replanDelivery(deps, demo(), (await findDelivery(deps.db, 'demo', id))!)
  assert.ok((planned?.requested_at ?? 0) >= nowMs, 'it is requested again now')
  assert.deepEqual(
    [planned?.sub_status, planned?.carrier_event_at, planned?.manifest_status],
    [null, null, 'pending'],
  )
  assert.equal(await findCourierPosition(deps.db, 'demo', id), null)
})

/** A request waits for 8 s at most; the booking continues after that. */
function decided(fixture: Fixture, reference: string) {
  return until(async () => {
    const now = await read(fixture, reference)
    return now.status !== 'requested' && now
  }, `${reference} is booked or held`)
}

function nameOf(idOrReference: string) {
  return { idOrReference, storeReference: null }
}

async function countMessages({ deps, demo }: Fixture, reference: string, template: string): Promise<number> {
  const { rows } = await deps.db.query<{ count: number }>(
    `select count(*)::int as count from messages join deliveries using (account_id, delivery_id)
     where account_id = $1 and reference = $2 and template = $3 and messages.status = 'no_channel'`,
    [demo().account.id, reference, template],
  )
  return rows[0]?.count ?? 0
}

async function operations({ deps }: Fixture, reference: string): Promise<string[]> {
  const rows = await listSandboxLedger(deps.db, 'demo', { reference, after: 0, limit: 100 })
  return rows.map(({ operation }) => operation)
}
