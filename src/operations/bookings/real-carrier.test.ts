import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { type AuspostFixture, auspostFixture } from '../../../test/auspost-fixture.ts'
import { book, read } from '../../../test/booked-deliveries.ts'
import { anyone } from '../../../test/fixture.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { defined, deliveryRequest, quoteRequest, requestParcel, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import { bestByType } from '../../domain/quoting/decide.ts'
import { checkCarrier } from '../carriers/check-carrier.ts'
import { switchOff, switchOn } from '../carriers/switch-carrier.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { deliveryTimeline } from '../deliveries/delivery-timeline.ts'
import { getManifest } from '../manifests/get-manifest.ts'
import { manifestStore } from '../manifests/manifest-store.ts'
import { orderSummary } from '../manifests/order-summary.ts'
import { deliveryLabels } from '../paperwork/delivery-label.ts'
import { quoteDelivery } from '../quoting/quote-delivery.ts'
import { requestCancel } from './request-cancel.ts'

const HOUR_MS = 3_600_000
const willing = { reason: null, carrierReleaseConfirmed: false }
const melbourne = { ...quoteRequest, storeReference: 'melbourne-cbd' }

test('a carrier check names missing settings, and a new secret works without a restart', async (t) => {
  const { fixture, setSecret } = await auspostFixture(t, { secrets: false })
  const check = () => checkCarrier(fixture.deps, fixture.demo(), 'auspost')
  const lacking = await check()
  assert.equal(lacking.ok, false)
  assert.match(lacking.message, /secret auspost-key is not stored.*secret auspost-password is not stored/)

  await setSecret('auspost-key', 'fake-key')
  await setSecret('auspost-password', 'wrong')
  const refused = await until(async () => {
    const result = await check()
    return /API_001/.test(result.message) && result
  }, 'the wrong password is tried')
  assert.equal(
    refused.message,
    'Our login to Australia Post failed (sandbox): API_001: The API key or password is not right.',
  )
  await setSecret('auspost-password', 'fake-password')
  const good = await until(async () => {
    const result = await check()
    return result.ok && result
  }, 'the right password is used')
  assert.match(
    good.message,
    /^Logged in to Australia Post \(sandbox\): account 0000123456 of Fake Merchant, with the products T28/,
  )
  assert.match(good.message, /Drover does not book pickups\. Lodge the parcels, or arrange a regular pickup/)
})

test('a quote has the carrier’s live price and surcharges, and identical requests are sent once', async (t) => {
  const { fixture, asked } = await auspostFixture(t)
  const quote = async () => (await quoteDelivery(fixture.deps, fixture.demo(), anyone, melbourne)).decision
  const first = bestByType(await quote())
  // $8.45 within the state, plus 5.5 % fuel levy on it.
  assert.deepEqual(
    first.standard?.lines.map(({ name, cents, detail }) => [name, cents, detail]),
    [
      ['carrier_price', 845, 'T28'],
      ['surcharge', 46, 'fuel'],
    ],
  )
  assert.ok(first.express)
  const toBusiness = { ...melbourne, address: { ...melbourne.address, business: true, companyName: 'Smith' } }
  const signed = await quoteDelivery(fixture.deps, fixture.demo(), anyone, toBusiness)
  // With a signature the product is T28S, at $11.40.
  assert.equal(bestByType(signed.decision).standard?.lines[0]?.cents, 1_140)
  const before = asked('price_shipments')
  assert.deepEqual(bestByType(await quote()).standard?.priceCents, 891)
  assert.equal(asked('price_shipments'), before)
})

test('a late carrier is left out with a warning; its delivery is created and priced at booking', async (t) => {
  const { fixture, fake } = await auspostFixture(t, {
    document: { quotes: { carrier_deadline_ms: 300 } },
    rateCard: false,
  })
  fake.faults.add({ operation: 'price_shipments', kind: 'slow', ms: 900, times: null })
  const { decision } = await quoteDelivery(fixture.deps, fixture.demo(), anyone, melbourne)
  assert.deepEqual(decision.options, [])
  assert.deepEqual(
    decision.exclusions.map(({ rule, detail }) => `${rule}: ${detail}`),
    [
      'carrier_price: Australia Post returned no price: no answer within 0.3 s.',
      'carrier_price: StarTrack returned no price: no answer within 0.3 s.',
    ],
  )
  await create(fixture, 'L-1')
  assert.equal((await read(fixture, 'L-1')).chosen, null)
  await fixture.setClock(Date.parse('2026-11-24T11:30:00+11:00'))
  const booked = await until(async () => {
    const delivery = await read(fixture, 'L-1')
    return delivery.status === 'booked' && delivery
  }, 'it is booked')
  assert.equal(booked.chosen?.quote?.priceCents, booked.chosen?.costCents)
})

test('a rate card stands in for a carrier that does not answer', async (t) => {
  const { fixture, fake } = await auspostFixture(t)
  fake.faults.add({ operation: 'price_shipments', kind: 'status', status: 500, times: null })
  const { decision } = await quoteDelivery(fixture.deps, fixture.demo(), anyone, melbourne)
  const standard = bestByType(decision).standard
  assert.deepEqual([standard?.lines[0]?.name, standard?.quote], ['zone', null])
  assert.match(
    decision.warnings.join(' '),
    /Australia Post returned no price: .*Its rate card is used instead/,
  )
})

test('a delivery is booked, labelled, manifested and tracked to the door', async (t) => {
  const here = await auspostFixture(t)
  const { fixture, fake, asked } = here
  await create(fixture, 'A-1')
  await fixture.setClock(Date.parse('2026-11-24T11:30:00+11:00'))
  fake.clock.advance(1.5 * HOUR_MS)
  const booked = await until(async () => {
    const delivery = await read(fixture, 'A-1')
    return delivery.status === 'booked' && delivery
  }, 'it is booked')
  assert.match(booked.consignmentNumber ?? '', /^FKE\d{7}$/)
  assert.equal(booked.articles[0]?.articleIds.length, 1)

  const label = (format: 'pdf' | 'zpl') =>
    deliveryLabels(fixture.deps, fixture.demo(), anyone, ['A-1'], format).then(({ document }) => document)
  const pdf = await label('pdf')
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  await label('zpl')
  const fetched = asked('download_label')
  fake.faults.add({ operation: '*', kind: 'status', status: 503, times: null })
  assert.deepEqual(await label('pdf'), pdf, 'kept, so the carrier is not needed')
  assert.match((await label('zpl')).toString(), /^\s*\^XA[\s\S]*\^XZ\s*$/)
  assert.equal(asked('download_label'), fetched)
  fake.faults.clear()

  await book(fixture, 'A-2', { deliveryType: 'express' })
  const { document: both } = await deliveryLabels(fixture.deps, fixture.demo(), anyone, ['A-2', 'A-1'], 'pdf')
  assert.equal((await PDFDocument.load(both)).getPageCount(), 2, 'carriers’ own, as one document')

  const [made] = await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  const { manifest } = await getManifest(fixture.deps, fixture.demo(), anyone, made!.manifest.id)
  assert.match(manifest.orderId ?? '', /^AP\d{10}$/)
  assert.equal(manifest.costCents, booked.chosen?.costCents)
  const summary = await orderSummary(fixture.deps, fixture.demo(), anyone, manifest.id)
  assert.equal(asked('get_order_summary'), 1)
  assert.deepEqual(await orderSummary(fixture.deps, fixture.demo(), anyone, manifest.id), summary)
  assert.equal(asked('get_order_summary'), 1)

  await here.advance(48 * HOUR_MS)
  await until(async () => (await read(fixture, 'A-1')).status === 'delivered', 'it is delivered')
  const steps = (await timeline(fixture, 'A-1')).flatMap(({ from, to }) => (to ? [`${from}→${to}`] : []))
  assert.deepEqual(steps.slice(-3), ['requested→booked', 'booked→collected', 'collected→delivered'])
})

test('a booking and a manifest order whose responses are lost are found, and made once', async (t) => {
  const { fixture, fake } = await auspostFixture(t)
  fake.faults.add({ operation: 'create_shipments', kind: 'lost' })
  await create(fixture, 'B-1', { bookDeliveryNow: true })
  const booked = await until(async () => {
    const delivery = await read(fixture, 'B-1')
    return delivery.status === 'booked' && delivery
  }, 'its booking is found')
  assert.equal(fake.ledger.entries({ what: 'shipment_created' }).length, 1)
  assert.equal(booked.articles[0]?.articleIds.length, 1)

  fake.faults.add({ operation: 'order_shipments', kind: 'lost' })
  const [made] = await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  await until(async () => {
    const { manifest } = await getManifest(fixture.deps, fixture.demo(), anyone, made!.manifest.id)
    return manifest.state === 'submitted'
  }, 'its order is found')
  assert.equal(fake.ledger.entries({ what: 'order_created' }).length, 1)
})

test('a shipment can be cancelled until it is in an order', async (t) => {
  const { fixture, fake } = await auspostFixture(t)
  await book(fixture, 'C-1')
  await book(fixture, 'C-2')
  const cancel = (idOrReference: string) =>
    requestCancel(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null }, willing)
  assert.equal((await cancel('C-1')).status, 'cancelled')
  assert.equal(fake.ledger.entries({ what: 'shipment_deleted' }).length, 1)
  await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  await assert.rejects(cancel('C-2'), /44016/)
})

test('each UN number becomes a shipment with its description', async (t) => {
  const { fixture, fake } = await auspostFixture(t)
  const goods = (reference: string, definition: string) => ({
    ...requestParcel,
    reference,
    containsDangerousGoods: true,
    dangerousGoods: defined(definition, { netWeightKg: 0.4, outerPackagingQuantity: 1 }),
  })
  await book(fixture, 'D-1', {
    deliveryType: 'express',
    parcels: [goods('BATTERY', 'lithium_batteries_equipment'), goods('PERFUME', 'perfumery'), requestParcel],
  })
  const created = fake.ledger.entries({ what: 'shipment_created' })
  assert.equal(created.length, 3)
  const { articles } = await read(fixture, 'D-1')
  assert.equal(new Set(articles.flatMap(({ articleIds }) => articleIds)).size, 3)
  await deliveryLabels(fixture.deps, fixture.demo(), anyone, ['D-1'], 'pdf')
  const [made] = await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  assert.equal(made?.manifest.state, 'submitted')
})

test('a disabled carrier gets no new deliveries, and its cancelled ones are planned again', async (t) => {
  const { fixture, fake } = await auspostFixture(t)
  await book(fixture, 'E-1')
  await book(fixture, 'E-2')
  await manifestStore(fixture.deps, fixture.demo(), anyone, { ...wholeStore, references: ['E-2'] }, null)

  fake.faults.add({ operation: 'delete_shipment', kind: 'cut' })
  const off = await switchOff(fixture.deps, fixture.demo(), 'auspost', {
    reason: 'no van',
    replan: true,
    decommissioned: false,
  })
  assert.deepEqual(
    [off.pendingCancellation, off.uncollected.map(({ reference, manifested }) => [reference, manifested])],
    [
      1,
      [
        ['E-1', false],
        ['E-2', true],
      ],
    ],
  )
  const { decision } = await quoteDelivery(fixture.deps, fixture.demo(), anyone, melbourne)
  assert.deepEqual(
    decision.exclusions.map(({ rule, detail }) => `${rule}: ${detail}`),
    ['carrier_disabled: Australia Post is switched off: no van.'],
  )
  await until(async () => {
    const { status } = await read(fixture, 'E-1')
    if (status === 'booked') await fixture.setClock(fixture.demo().nowMs() + 60_000)
    return status === 'requested'
  }, 'it is let go')
  assert.equal(fake.ledger.entries({ what: 'shipment_deleted' }).length, 1)
  assert.equal((await read(fixture, 'E-1')).consignmentNumber, null)

  const on = await switchOn(fixture.deps, fixture.demo(), 'auspost')
  assert.equal(on.off, null)
  await until(async () => {
    const { status } = await read(fixture, 'E-1')
    if (status === 'requested') await fixture.setClock(fixture.demo().nowMs() + 60_000)
    return status === 'booked'
  }, 'it is booked again')
  const standing = fake.ledger.entries({ what: 'shipment_created' }).length
  assert.equal(standing, 3, 'E-1 twice, once deleted, and E-2')
  const steps = (await timeline(fixture, 'E-1')).flatMap(({ from, to }) => (to ? [`${from}→${to}`] : []))
  assert.deepEqual(steps.slice(-4), [
    'requested→booked',
    'booked→reassigned',
    'reassigned→requested',
    'requested→booked',
  ])
})

test('parcels are tracked within the API key’s rate limit, deliveries near the door first', async (t) => {
  const { fixture, fake, asked, advance } = await auspostFixture(t)
  await book(fixture, 'F-1')
  const beganMs = performance.now()
  await advance(HOUR_MS)
  await until(async () => asked('track') === 1, 'its first news is known')
  const calm = await followed(fixture, 'F-1', 'calm', 150, 'null')
  const urgent = await followed(fixture, 'F-1', 'urgent', 30, "'out_for_delivery'")
  await fixture.deps.db.query(`update deliveries set due_at = $1 where reference like 'F-1-%'`, [
    new Date(fixture.demo().nowMs()).toISOString(),
  ])
  fixture.deps.wake()
  const due = async () => {
    const { rows } = await fixture.deps.db.query<{ reference: string; due_at: number }>(
      `select reference, due_at from deliveries where reference like 'F-1-%' and lease_until is null`,
    )
    return rows
  }
  const rows = await until(async () => {
    const now = await due()
    return now.length === calm + urgent && now.every(({ due_at }) => due_at > fixture.demo().nowMs()) && now
  }, 'all are asked for or wait for their turn')
  // On a machine so busy that a minute passed, our quota has free requests again but the fake's does not, because its
  // clock is stopped.
  if (performance.now() - beganMs < 60_000) {
    assert.equal(asked('track'), 10, 'the limit of a minute, and not one more')
    const refused = fake.ledger.entries({ what: 'request' }).filter(({ status }) => status === 429)
    assert.deepEqual(refused, [])
  }
  // Non-urgent polls get a turn every six seconds, after the urgent ones; a polled delivery is due again in ten minutes
  // or more.
  const nowMs = fixture.demo().nowMs()
  const waiting = rows.filter(({ due_at }) => due_at < nowMs + 8 * 60_000)
  assert.ok(waiting.length >= 80, `${waiting.length} wait`)
  const [soon, later] = [true, false].map((wanted) =>
    waiting.filter(({ reference }) => reference.includes('urgent') === wanted).map(({ due_at }) => due_at),
  )
  assert.ok(Math.max(...soon!) < Math.min(...later!), 'who is urgent has the first turns')
})

test('deliveries that were booked one by one are tracked in one request, after a pause', async (t) => {
  const { fixture, asked, advance } = await auspostFixture(t)
  const references = ['H-1', 'H-2', 'H-3', 'H-4', 'H-5']
  for (const reference of references) await book(fixture, reference)
  const { rows } = await fixture.deps.db.query(
    `select due_at from deliveries where reference like 'H-%' and due_at > $1 and lease_until is null`,
    [new Date(fixture.demo().nowMs()).toISOString()],
  )
  assert.equal(rows.length, references.length)
  assert.equal(asked('track'), 0)
  await advance(HOUR_MS)
  await until(() => asked('track') > 0)
  assert.equal(asked('track'), 1, 'one question for all five')
})

test('one parcel that the carrier fails on does not stop the tracking of others', async (t) => {
  const here = await auspostFixture(t)
  const { fixture, asked } = here
  for (const reference of ['G-1', 'G-2', 'G-3']) await book(fixture, reference)
  await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  // One request with consignments of both Australia Post and StarTrack fails as a whole.
  await fixture.deps.db.query(`update deliveries set carrier_ref = 's/ABCZ12345678' where reference = 'G-2'`)
  await here.advance(48 * HOUR_MS)
  for (const reference of ['G-1', 'G-3']) {
    await until(
      async () => (await read(fixture, reference)).status === 'delivered',
      `${reference} is delivered`,
    )
  }
  assert.ok(asked('track') <= 10)
})

/**
 * Copies a booked delivery that is in transit; the fake does not know the copies and returns no tracking updates for
 * them.
 */
async function followed(
  fixture: AuspostFixture['fixture'],
  reference: string,
  name: string,
  count: number,
  subStatus: string,
): Promise<number> {
  await fixture.deps.db.query(
    `insert into deliveries
     select (jsonb_populate_record(d, jsonb_build_object(
       'delivery_id', d.delivery_id || '-${name}' || copy, 'reference', d.reference || '-${name}-' || copy,
       'consignment_number', 'X' || copy, 'carrier_ref', 's/${name}' || copy, 'sub_status', ${subStatus},
       'status', 'collected', 'due_at', null, 'window_from', d.window_from + interval '3 days',
       'window_to', d.window_to + interval '3 days'))).*
     from deliveries as d, generate_series(1, ${count}) as copy where d.reference = $1`,
    [reference],
  )
  return count
}

async function create(fixture: AuspostFixture['fixture'], reference: string, changes: object = {}) {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T12:00:00+11:00'),
    deliveryType: 'standard' as const,
    reference,
    ...changes,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

function timeline(fixture: AuspostFixture['fixture'], idOrReference: string) {
  return deliveryTimeline(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}
