import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import { deliveryRequest, quoteRequest } from '../../../test/requests.ts'
import type { Carrier, Outcome } from '../../carriers/port/carrier.ts'
import { Refusal } from '../../domain/errors.ts'
import { makeLog } from '../../log.ts'
import type { AccountDirectory, AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { checkDeliveryAvailability, decideAsking, quoteDelivery } from './quote-delivery.ts'
import { resolveDeliveryOrRefuse } from './resolve-delivery.ts'

const log = makeLog('silent')
const account = exampleAccount('demo-account')
const entry: AccountEntry = {
  account,
  nowMs: () => TUESDAY_TEN,
  clockOffsetMs: 0,
  clients: new Map(),
  removedCarriers: new Map(),
  carriersOff: new Map(),
  carriersNotSetUp: new Map(),
  secretOf: () => null,
  unreadableSecrets: new Set(),
}
const anyone: Caller = { clientId: 'demo-client', scopes: new Set(['quotes']), storeReferences: null }
const perthOnly: Caller = { ...anyone, storeReferences: new Set(['perth-cbd']) }
const three = Date.parse('2026-11-24T15:00:00+11:00')

test('a quote calls no carrier without live prices', async () => {
  const deps = {
    log,
    accounts: { find: () => entry } as unknown as AccountDirectory,
    carrierOf: () => {
      throw new Error('asked')
    },
  }
  const { decision, job } = await quoteDelivery(deps, entry, anyone, quoteRequest)
  assert.equal(job.store.reference, 'fitzroy')
  assert.ok(decision.options.length > 0)
})

test('a dynamic ready-for-pickup time uses the carriers’ pickup times', async () => {
  const deps = carriersWhere({ swiftly: async () => ({ kind: 'yes', value: three }) })
  const { decision } = await quoteDelivery(deps, entry, anyone, { ...quoteRequest, useDynamicRfp: true })
  const pickups = Object.fromEntries(
    decision.options.map(({ service, pickupMs }) => [service.service, pickupMs]),
  )
  assert.equal(pickups.NOW, three)
  assert.equal(pickups.ROAD, TUESDAY_TEN + 15 * 60_000)
  assert.deepEqual(decision.warnings, [])
})

test('carriers are asked for a pickup at the ready time or now, whichever is later, plus the buffer', async () => {
  const asked: number[] = []
  const deps = carriersWhere({
    swiftly: async (readyMs) => {
      asked.push(readyMs)
      return { kind: 'yes', value: readyMs }
    },
  })
  const dynamic = { ...quoteRequest, useDynamicRfp: true }
  const at = (ms: number) => ({ kind: 'instant', ms }) as const
  await quoteDelivery(deps, entry, anyone, { ...dynamic, readyForPickupAt: null })
  await quoteDelivery(deps, entry, anyone, { ...dynamic, readyForPickupAt: at(TUESDAY_TEN - 3_600_000) })
  await quoteDelivery(deps, entry, anyone, { ...dynamic, readyForPickupAt: at(three) })
  await quoteDelivery(deps, entry, anyone, {
    ...dynamic,
    readyForPickupAt: at(three),
    ignoreBufferTime: true,
  })
  const buffer = 15 * 60_000
  assert.deepEqual(asked, [TUESDAY_TEN + buffer, TUESDAY_TEN + buffer, three + buffer, three])
})

test('a late or failing carrier becomes a warning', async () => {
  const deps = carriersWhere({
    swiftly: () => new Promise(() => {}),
    southern_parcels: async () => ({ kind: 'no', retry: 'later', message: 'No run today.' }),
  })
  const startedMs = performance.now()
  const { decision } = await quoteDelivery(deps, entry, anyone, { ...quoteRequest, useDynamicRfp: true })
  assert.ok(performance.now() - startedMs < 30_000)
  assert.deepEqual([...decision.warnings].sort(), [
    'Southern Parcels did not say when it could be at the store: No run today.',
    'Swiftly did not say when it could be at the store: no answer in time.',
  ])
  assert.equal(decision.options[0]?.pickupMs, TUESDAY_TEN + 15 * 60_000)
})

test('a carrier that this installation cannot book is not asked, and its services say what is missing', async () => {
  const deps = carriersWhere({ swiftly: async () => ({ kind: 'yes', value: three }) })
  const detail = 'Drover cannot log in to Swiftly, because its api key is missing.'
  const lacking = { ...entry, carriersNotSetUp: new Map([['swiftly', { detail, isCurable: true }]]) }
  for (const useDynamicRfp of [false, true]) {
    const { decision } = await quoteDelivery(deps, lacking, anyone, { ...quoteRequest, useDynamicRfp })
    assert.ok(!decision.options.some(({ service }) => service.provider === 'swiftly'))
    const own = decision.exclusions.filter(({ rule }) => rule === 'not_set_up')
    assert.deepEqual(
      new Set(own.map((one) => `${one.service.provider}: ${one.detail}`)),
      new Set([`swiftly: ${detail}`]),
    )
    assert.ok(own.every(({ mayComeLater }) => mayComeLater === undefined))
  }
  const booking = await decideAsking(
    deps,
    lacking,
    (await quoteDelivery(deps, entry, anyone, quoteRequest)).job,
    {
      dynamic: false,
      street: null,
      isForBooking: true,
    },
  )
  const [awaited] = booking.decision.exclusions.filter(({ rule }) => rule === 'not_set_up')
  assert.equal(awaited?.mayComeLater, true, 'an accepted delivery waits for it')
})

test('a store that the caller may not see is not found, whatever else is wrong', () => {
  const wrong = { ...quoteRequest, address: { ...quoteRequest.address, postCode: '9999' } }
  assert.throws(() => checkDeliveryAvailability(entry, perthOnly, wrong), refusal('not_found', 0))
  assert.throws(() => resolveDeliveryOrRefuse(entry, perthOnly, deliveryRequest), refusal('not_found', 0))
})

test('an invalid request is rejected with every issue', () => {
  const wrong = {
    ...deliveryRequest,
    reference: 'dlv_1',
    customer: { ...deliveryRequest.customer, phone: '12' },
  }
  assert.throws(() => resolveDeliveryOrRefuse(entry, anyone, wrong), refusal('invalid_request', 2))
})

test('availability needs only the account', () => {
  const { availability } = checkDeliveryAvailability(entry, anyone, quoteRequest)
  assert.deepEqual(Object.keys(availability.windows), ['fast', 'flexible', 'standard', 'express'])
})

function refusal(code: Refusal['code'], issues: number) {
  return (error: unknown) => error instanceof Refusal && error.code === code && error.issues.length === issues
}

/** Carriers that book nothing and return the given times of their next run. */
function carriersWhere(answers: Record<string, (readyMs: number) => Promise<Outcome<number>>>) {
  return {
    log,
    accounts: { find: () => entry } as unknown as AccountDirectory,
    carrierOf: (_: unknown, provider: string): Carrier => {
      const availableFrom = answers[provider]
      return {
        recovery: { kind: 'neither' },
        book: async () => ({ kind: 'no', retry: 'nobody', message: 'Not in this test.' }),
        ...(availableFrom && { availableFrom: (_store: string, readyMs: number) => availableFrom(readyMs) }),
      }
    },
  }
}
