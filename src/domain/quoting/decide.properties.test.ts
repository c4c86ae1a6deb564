import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { ballarat, brokenHill, jobAt, northOf, sydney, TUESDAY_TEN } from '../../../test/jobs.ts'
import type { Account, Limits } from '../account/account.ts'
import { PARCEL_TYPES, PRODUCT_TYPES } from '../values.ts'
import { decide } from './decide.ts'
import type { Job, JobParcel } from './job.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!

const measure = (max: number) => fc.integer({ min: 1, max: max * 10 }).map((tenths) => tenths / 10)
const anyParcel: fc.Arbitrary<JobParcel> = fc.record({
  reference: fc.constant('BOX'),
  type: fc.constantFrom(...PARCEL_TYPES),
  lengthCm: measure(110),
  widthCm: measure(60),
  heightCm: measure(60),
  weightKg: measure(25),
  quantity: fc.integer({ min: 1, max: 3 }),
  dangerousGoods: fc.constant(null),
})
const anyJob: fc.Arbitrary<Job> = fc
  .record({
    destination: fc.constantFrom(northOf(melbourne, 1), northOf(melbourne, 15), ballarat, sydney, brokenHill),
    parcels: fc.array(anyParcel, { minLength: 1, maxLength: 4 }),
    declaredValueCents: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
    productTypes: fc.subarray([...PRODUCT_TYPES], { maxLength: 1 }).map((types) => new Set(types)),
    readyForPickupAtMs: fc.option(
      fc.integer({ min: 0, max: 400 }).map((hours) => TUESDAY_TEN + hours * 3_600_000),
    ),
  })
  .map((changes) => jobAt(demo, changes))
const anyPricing = fc.record({
  markupPercent: fc.constantFrom(0, 12.5, -7.25),
  fixedCents: fc.constantFrom({}, { express: 1500 }),
})

test('every service is either an option or excluded, and lines sum to their price', () => {
  fc.assert(
    fc.property(anyJob, anyPricing, (job, pricing) => {
      const { options, exclusions } = decide({ ...demo, pricing }, job, TUESDAY_TEN)
      assert.equal(options.length + exclusions.length, demo.services.length)
      for (const { priceCents, lines, gstIncludedCents } of options) {
        assert.equal(
          lines.reduce((sum, { cents }) => sum + cents, 0),
          priceCents,
        )
        assert.ok(lines.every(({ cents }) => Number.isSafeInteger(cents)))
        assert.ok(Math.abs(priceCents - 11 * gstIncludedCents) <= 5.5)
      }
    }),
  )
})

test('the same request gives the same decision', () => {
  fc.assert(
    fc.property(anyJob, (job) => {
      assert.deepEqual(decide(demo, job, TUESDAY_TEN), decide(demo, job, TUESDAY_TEN))
    }),
  )
})

test('options are sorted, and windows start after pickups', () => {
  fc.assert(
    fc.property(anyJob, (job) => {
      const { options, earliestPickupMs } = decide(demo, job, TUESDAY_TEN)
      for (const [index, { priceCents, pickupMs, window }] of options.entries()) {
        assert.ok(priceCents >= (options[index - 1]?.priceCents ?? 0))
        assert.ok(earliestPickupMs !== null && pickupMs >= earliestPickupMs)
        assert.ok(window.fromMs < window.toMs && pickupMs < window.toMs)
      }
    }),
  )
})

test('fewer parcels never cost more', () => {
  fc.assert(
    fc.property(anyJob, anyPricing, (job, pricing) => {
      const account = { ...demo, pricing }
      const fewer = pricesOf(account, { ...job, parcels: job.parcels.slice(1) })
      for (const [service, cents] of pricesOf(account, job)) {
        assert.ok((fewer.get(service) ?? 0) <= cents, service)
      }
    }),
  )
})

test('another limit never adds an option', () => {
  const anyLimit: fc.Arbitrary<Partial<Limits>> = fc.constantFrom(
    { radiusKm: 10 },
    { states: new Set(['VIC'] as const) },
    { maxParcelKg: 5 },
    { maxTotalKg: 8 },
    { maxSideCm: 50 },
    { maxParcelM3: 0.02 },
    { maxParcels: 2 },
    { parcelTypes: new Set(['carton', 'pallet'] as const) },
    { modes: new Set(['customer_pickup'] as const) },
    { businessOnly: true },
    { maxDeclaredCents: 1000 },
  )
  fc.assert(
    fc.property(anyJob, anyLimit, (job, limit) => {
      const services = demo.services.map((service) => ({
        ...service,
        limits: tighter(service.limits, limit),
      }))
      const before = pricesOf(demo, job)
      const after = pricesOf({ ...demo, services }, job)
      for (const service of after.keys()) assert.ok(before.has(service), service)
    }),
  )
})

/** Adds a limit to existing ones: the lower of two numbers, otherwise the new one within the old. */
function tighter(limits: Limits, limit: Partial<Limits>): Limits {
  const merged: Record<string, unknown> = { ...limits }
  for (const [name, value] of Object.entries(limit)) {
    const old = merged[name]
    if (typeof old === 'number' && typeof value === 'number') merged[name] = Math.min(old, value)
    else if (old instanceof Set && value instanceof Set)
      merged[name] = new Set([...old].filter((one) => value.has(one)))
    else merged[name] = value
  }
  return merged as Limits
}

function pricesOf(account: Account, job: Job): Map<string, number> {
  return new Map(
    decide(account, job, TUESDAY_TEN).options.map(({ service, priceCents }) => [service.service, priceCents]),
  )
}
