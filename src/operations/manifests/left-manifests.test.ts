import assert from 'node:assert/strict'
import { test } from 'node:test'

import { book, freight, read } from '../../../test/booked-deliveries.ts'
import { anyone, type Fixture, testFixture } from '../../../test/fixture.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { defined, requestParcel, timestamp } from '../../../test/requests.ts'
import { untilLockAwaited } from '../../../test/until-lock-awaited.ts'
import { until } from '../../../test/wait-until.ts'
import type { RequestParcel } from '../../domain/delivery/request.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { recordOrder } from '../../store/manifests/change-manifest.ts'
import { findManifest } from '../../store/manifests/manifests.ts'
import { bookNow } from '../bookings/book-now.ts'
import { replanDelivery } from '../bookings/replan-delivery.ts'
import { amendDelivery } from '../deliveries/amend-delivery.ts'
import type { Deps } from '../deps.ts'
import { getManifest } from './get-manifest.ts'
import { manifestStore } from './manifest-store.ts'
import { manifestCsv } from './order-summary.ts'
import { settleManifest } from './settle-manifest.ts'
import { submitDraft } from './submit-draft.ts'

test('a delivery that has left a manifest', async (t) => {
  const fixture = silent(await testFixture(t, { work: false }))

  await t.test('a refused manifest that is submitted again includes it with its new booking', async () => {
    const reference = 'A-1'
    const id = await outcomeUnknown(fixture, reference)
    await carrierReleased(fixture, reference)
    const { consignmentNumber } = await bookAgain(fixture, reference)
    assert.deepEqual(await rowsOf(fixture, id), [[reference, true]])
    await settle(fixture, id, false)

    await assert.rejects(submitDraft(fixture.deps, fixture.demo(), anyone, id), {
      code: 'manifest_outcome_unknown',
    })
    await settle(fixture, id, true)
    const { manifest, deliveries } = await getManifest(fixture.deps, fixture.demo(), anyone, id)
    assert.deepEqual([manifest.state, manifest.deliveries, manifest.items], ['submitted', 1, 1])
    assert.deepEqual(
      deliveries.map((one) => [one.movedToAnotherCarrier, one.consignmentNumber]),
      [[false, consignmentNumber]],
    )
    assert.equal((await read(fixture, reference)).manifestStatus, 'manifested')
  })

  await t.test('a refusal does not remove it from its current manifest', async () => {
    const reference = 'B-1'
    const first = await outcomeUnknown(fixture, reference)
    await carrierReleased(fixture, reference)
    await bookAgain(fixture, reference)
    const second = await manifestOf(fixture, reference)
    await settle(fixture, first, false)
    assert.deepEqual(
      [await holderOf(fixture, reference), await rowsOf(fixture, second)],
      [second, [[reference, false]]],
    )
    await assert.rejects(manifestOf(fixture, reference), (refusal: { issues: { message: string }[] }) =>
      refusal.issues.some(({ message }) => message.includes(`on manifest ${second} already`)),
    )
  })

  await t.test('a delivery may leave its manifest while the carrier’s refusal is recorded', async () => {
    const reference = 'C-1'
    const id = await outcomeUnknown(fixture, reference)
    const both = await withTransaction(fixture.deps.db, async (db) => {
      await db.query("select from deliveries where account_id = 'demo' and reference = $1 for update", [
        reference,
      ])
      const left = carrierReleased(fixture, reference)
      await untilLockAwaited(fixture.deps.db)
      const refused = settle(fixture, id, false)
      await untilLockAwaited(fixture.deps.db, 2)
      return [left, refused]
    })
    await Promise.all(both)
    assert.equal(await holderOf(fixture, reference), null)
    await bookAgain(fixture, reference)
    assert.equal(await manifestOf(fixture, reference), await holderOf(fixture, reference))
  })

  await t.test('its order summary keeps the articles of the submitted order', async () => {
    const reference = 'D-1'
    const id = await outcomeUnknown(fixture, reference)
    const { consignmentNumber, articles } = await read(fixture, reference)
    const row = await findManifest(fixture.deps.db, 'demo', id)
    assert.ok(row && consignmentNumber)
    const given = articles.map((one) => ({ ...one, articleIds: ['GIVEN-1'] }))
    const leaving = await withTransaction(fixture.deps.db, async (db) => {
      const lodged = await recordOrder(
        db,
        {
          accountId: 'demo',
          manifestId: id,
          fence: row.fence,
          state: 'on_hold',
          nowMs: fixture.demo().nowMs(),
        },
        {
          orderId: 'BHM-1',
          costCents: null,
          articles: new Map([[consignmentNumber, given]]),
          eventId: fixture.deps.newId('evt'),
          source: 'api',
        },
      )
      assert.ok(lodged)
      const left = carrierReleased(fixture, reference)
      await untilLockAwaited(fixture.deps.db)
      return { left }
    })
    await leaving.left
    const { deliveries } = await getManifest(fixture.deps, fixture.demo(), anyone, id)
    assert.deepEqual(
      deliveries.map((one) => [one.movedToAnotherCarrier, one.consignmentNumber, one.articleIds]),
      [[true, consignmentNumber, ['GIVEN-1']]],
    )
  })

  await t.test('its order summary keeps the handed-over weight after an amend', async () => {
    const reference = 'E-1'
    const id = await outcomeUnknown(fixture, reference)
    await carrierReleased(fixture, reference)
    const parcels = freight.parcels!.map((parcel) => ({ ...parcel, weightKg: 120, quantity: 2 }))
    await amend(fixture, reference, parcels)
    const { manifest } = await getManifest(fixture.deps, fixture.demo(), anyone, id)
    assert.match(await manifestCsv(fixture.deps, manifest), /,moved to another carrier,[^,]+,1,300,/)
  })

  await t.test('drafts and refused manifests count it as it is when submitted', async () => {
    const draft = await draftOf(fixture, 'F-1', freight)
    const refused = await outcomeUnknown(fixture, 'F-2')
    await settle(fixture, refused, false)
    for (const [id, reference] of [
      [draft, 'F-1'],
      [refused, 'F-2'],
    ] as const) {
      await becomes(fixture, reference, dangerous(freight.parcels!))
      const seen = await getManifest(fixture.deps, fixture.demo(), anyone, id)
      assert.deepEqual([seen.manifest.items, seen.manifest.dangerousGoods], [1, false])
      await assert.rejects(submitDraft(fixture.deps, fixture.demo(), anyone, id), {
        code: 'manifest_outcome_unknown',
      })
      const { manifest, deliveries } = await getManifest(fixture.deps, fixture.demo(), anyone, id)
      assert.deepEqual(
        [manifest.items, manifest.dangerousGoods, manifest.deliveries],
        [3, true, 1],
        reference,
      )
      assert.deepEqual(
        deliveries.map(({ units }) => units),
        [3],
      )
    }
  })

  await t.test(
    'a delivery that became dangerous goods is named where these need a separate manifest',
    async () => {
      await book(fixture, 'G-1')
      const id = await draftOf(fixture, 'G-2', {}, ['G-1', 'G-2'])
      await becomes(fixture, 'G-2', dangerous([requestParcel]))
      await assert.rejects(submitDraft(fixture.deps, fixture.demo(), anyone, id), {
        code: 'deliveries_not_eligible',
        details: { delivery_references: ['G-2'] },
      })
      await becomes(fixture, 'G-2', [{ ...requestParcel, quantity: 2 }])
      const { manifest } = await submitDraft(fixture.deps, fixture.demo(), anyone, id)
      assert.deepEqual([manifest.items, manifest.dangerousGoods], [3, false])
    },
  )
})

const unchanged = {
  readyForPickupAt: timestamp('2026-11-24T12:00:00+11:00'),
  ...{ reference: null, deliveryType: null, specialInstructions: null },
  ...{ address: null, customer: null, lineItems: null },
}

/**
 * Its carriers don't answer a manifest, so a Big Haul manifest has an unknown outcome until a test resolves
 * it.
 */
function silent(fixture: Fixture): Fixture {
  const deps: Deps = {
    ...fixture.deps,
    carrierOf(entry, provider) {
      const carrier = fixture.deps.carrierOf(entry, provider)
      const submit = async () => ({ kind: 'unknown', message: 'nothing' }) as const
      return carrier?.manifest ? { ...carrier, manifest: { ...carrier.manifest, submit } } : carrier
    },
  }
  return { ...fixture, deps }
}

async function draftOf(
  fixture: Fixture,
  reference: string,
  changes: Parameters<typeof book>[2],
  references = [reference],
): Promise<string> {
  await book(fixture, reference, changes)
  const draft = { ...wholeStore, references, submit: false }
  const [made] = await manifestStore(fixture.deps, fixture.demo(), anyone, draft, null)
  assert.equal(made?.manifest.state, 'draft')
  return made.manifest.id
}

/** Released, amended, and booked again. */
async function becomes(
  fixture: Fixture,
  reference: string,
  parcels: readonly RequestParcel[],
): Promise<void> {
  await carrierReleased(fixture, reference)
  await amend(fixture, reference, parcels)
  await bookAgain(fixture, reference)
}

function amend({ deps, demo }: Fixture, reference: string, parcels: readonly RequestParcel[]) {
  const name = { idOrReference: reference, storeReference: null }
  return amendDelivery(deps, demo(), anyone, name, { ...unchanged, parcels }, async () => null)
}

function dangerous(parcels: readonly RequestParcel[]): RequestParcel[] {
  const dangerousGoods = { ...defined('perfumery'), netWeightKg: 0.4 }
  return parcels.map((parcel) => ({ ...parcel, quantity: 3, containsDangerousGoods: true, dangerousGoods }))
}

async function outcomeUnknown(fixture: Fixture, reference: string): Promise<string> {
  await book(fixture, reference, freight)
  return manifestOf(fixture, reference)
}

async function manifestOf({ deps, demo }: Fixture, reference: string): Promise<string> {
  const [made] = await manifestStore(deps, demo(), anyone, { ...wholeStore, references: [reference] }, null)
  assert.equal(made?.manifest.state, 'on_hold')
  return made.manifest.id
}

function settle({ deps, demo }: Fixture, id: string, submitted: boolean) {
  const finding = submitted ? { submitted, orderId: 'BHM-9', costCents: null } : { submitted }
  return settleManifest(deps, demo(), anyone, id, finding)
}

/** The carrier has released it, so it is replanned. */
async function carrierReleased({ deps, demo }: Fixture, reference: string): Promise<void> {
  const { rows } = await deps.db.query('select delivery_id from deliveries where reference = $1', [reference])
  const row = await findDelivery(deps.db, 'demo', rows[0].delivery_id)
  assert.ok(row && (await replanDelivery(deps, demo(), row)))
}

async function bookAgain(fixture: Fixture, reference: string) {
  await bookNow(fixture.deps, fixture.demo(), anyone, { idOrReference: reference, storeReference: null })
  return until(async () => {
    const now = await read(fixture, reference)
    return now.status === 'booked' && now
  }, `${reference} is booked again`)
}

async function holderOf({ deps }: Fixture, reference: string): Promise<string | null> {
  const { rows } = await deps.db.query('select manifest_id from deliveries where reference = $1', [reference])
  return rows[0].manifest_id
}

async function rowsOf({ deps, demo }: Fixture, id: string): Promise<[string, boolean][]> {
  const { deliveries } = await getManifest(deps, demo(), anyone, id)
  return deliveries.map(({ reference, movedToAnotherCarrier }) => [reference, movedToAnotherCarrier])
}
