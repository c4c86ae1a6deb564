import assert from 'node:assert/strict'
import test from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { consignment, MORNING_MS, SECRET_KEY, sandboxCarriers } from '../../test/sandbox-carriers.ts'
import { until } from '../../test/wait-until.ts'
import type { CarrierAccount } from '../domain/account/account.ts'
import { sandboxStore } from '../store/sandbox/sandbox.ts'
import { accountCarriers } from './account-carriers.ts'
import { sandboxState } from './sandbox/sandbox-state.ts'
import { outbound } from './wire/http-send.ts'

const demo = { id: 'demo', mode: 'sandbox' } as const
const freight: CarrierAccount = {
  provider: 'freight',
  adapter: 'big_haul',
  name: 'Freight',
  credentials: {},
  settings: {},
  environment: 'sandbox',
  baseUrl: null,
  services: [],
}

const DEPS = {
  secretKey: SECRET_KEY,
  outbound: outbound({ allowLoopback: true }),
  mailPortOf: () => {
    throw new Error('no courier of these tests is told by mail')
  },
  wallMs: Date.now,
  report: () => {},
}

type Of = Parameters<ReturnType<typeof accountCarriers>>

async function carriers(t: test.TestContext) {
  const { fixture } = await sandboxCarriers((await testDatabase(t)).pool)
  const calls: string[] = []
  const resolve = accountCarriers({
    ...DEPS,
    sandbox: fixture,
    report: (accountId, provider, { result }) => calls.push(`${accountId} ${provider} ${result}`),
  })
  const carrierOf = (account: Of[0], carrier: Of[1]) => resolve(account, carrier, () => null)
  return { carrierOf, calls }
}

test('an account signs in at its sandbox carriers under any provider name', async (t) => {
  const { carrierOf, calls } = await carriers(t)
  const outcome = await carrierOf(demo, freight)!.book(consignment)
  assert.equal(outcome.kind, 'yes')
  assert.deepEqual(calls, ['demo freight 200'])
})

test('a longer time-out lengthens the settle time; a shorter one leaves it', async (t) => {
  const { carrierOf } = await carriers(t)
  const settleMs = (timeout_ms: number) => {
    const { recovery } = carrierOf(demo, {
      ...freight,
      adapter: 'southern_parcels',
      settings: { timeout_ms },
    })!
    return recovery.kind === 'look_up' ? recovery.settleMs : null
  }
  assert.deepEqual([500, 6_000, 30_000].map(settleMs), [8_000, 8_000, 32_000])
})

test('a carrier stays the same until its settings change', async (t) => {
  const { carrierOf } = await carriers(t)
  const first = carrierOf(demo, freight)
  assert.equal(carrierOf(demo, { ...freight, name: 'Haulage' }), first)
  assert.notEqual(carrierOf(demo, { ...freight, settings: { breaker_failures: 3 } }), first)
  assert.notEqual(carrierOf({ ...demo, id: 'acme' }, freight), first)
})

test('a request without a response ends after the time-out in the settings', async (t) => {
  const { pool } = await testDatabase(t)
  const { ledger } = await sandboxCarriers(pool)
  const nowMs = () => MORNING_MS
  const sandbox = sandboxState({ store: sandboxStore(pool), nowMs, secretKey: SECRET_KEY })
  const carrierOf = accountCarriers({ ...DEPS, sandbox })
  const carrier = carrierOf(demo, { ...freight, settings: { timeout_ms: 500 } }, () => null)
  assert.deepEqual(await carrier!.book({ ...consignment, reference: 'A-lost-answer' }), {
    kind: 'unknown',
    message: 'no answer within 0.5 s',
  })
  await until(async () => (await ledger('A-lost-answer')).length > 0, 'the carrier records the booking')
  assert.deepEqual(await ledger('A-lost-answer'), ['book booked'])
})

test('a booking is unknown if the carrier loses its state midway', async (t) => {
  const { pool } = await testDatabase(t)
  const { carrier } = await sandboxCarriers(pool)
  await pool.query('drop table sandbox_ledger')
  assert.equal((await carrier('big_haul').book(consignment)).kind, 'unknown')
})

test('an unknown adapter, or a live account, has no carrier', async (t) => {
  const { carrierOf } = await carriers(t)
  assert.equal(carrierOf(demo, { ...freight, adapter: 'parrot' }), null)
  assert.equal(carrierOf({ ...demo, mode: 'live' }, freight), null)
})
