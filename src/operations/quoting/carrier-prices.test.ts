import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { jobAt } from '../../../test/jobs.ts'
import type { Carrier, RateAsk } from '../../carriers/port/carrier.ts'
import { makeLog } from '../../log.ts'
import type { AccountDirectory } from '../directory/account-directory.ts'
import { fetchCarrierPrices } from './carrier-prices.ts'

const demo = exampleAccount('demo-account')
const account = {
  ...demo,
  services: demo.services.map((service) =>
    service.service === 'NOW' ? { ...service, livePrice: true } : service,
  ),
}
const NOW_MS = Date.parse('2026-11-24T10:00:00+11:00')

test('an unreadable price response counts as no price, and is requested again next time', async () => {
  let asked = 0
  const rates: NonNullable<Carrier['rates']> = async () => {
    asked += 1
    if (asked === 1) throw new Error('a bug of the adapter')
    return { kind: 'yes', value: [] }
  }
  const carrier = { rates } as unknown as Carrier
  const deps = toDeps(carrier)
  const ask = () =>
    fetchCarrierPrices(deps, account, jobAt(demo, {}), { nowMs: NOW_MS, deadlineMs: 10_000, street: null })

  const first = (await ask()).get('swiftly')
  assert.deepEqual(first, { kind: 'none', message: 'its answer could not be read', mayComeLater: true })
  assert.equal((await ask()).get('swiftly')?.kind, 'rates')
})

test('an unknown suburb is sent to the carrier as written', async () => {
  const asked: RateAsk[] = []
  const rates: NonNullable<Carrier['rates']> = async (ask) => {
    asked.push(ask)
    return { kind: 'yes', value: [] }
  }
  const carrier = { rates } as unknown as Carrier
  const deps = toDeps(carrier)
  const job = jobAt(demo, {})
  const street = { address: null, address2: null, city: 'Melbourne CBD', phone: null }
  for (const suburb of [null, 'Melbourne']) {
    const destination = { ...job.destination, suburb }
    await fetchCarrierPrices(
      deps,
      account,
      { ...job, destination },
      { nowMs: NOW_MS, deadlineMs: 10_000, street },
    )
  }
  assert.deepEqual(
    asked.map(({ to }) => to.city),
    ['Melbourne CBD', 'Melbourne'],
  )
})

test('a shared carrier quote is used by one booking only', async () => {
  let asked = 0
  const rates: NonNullable<Carrier['rates']> = async ({ carrierCodes }) => {
    asked += 1
    const quote = { quoteId: `dqt_${asked}`, expiresAtMs: Date.now() + 60_000, window: null }
    const value = carrierCodes.map((carrierCode) => ({ carrierCode, priceCents: 900, lines: [], ...quote }))
    return { kind: 'yes', value }
  }
  const carrier = { rates } as unknown as Carrier
  const deps = toDeps(carrier)
  const ask = async (isForBooking: boolean) => {
    const asking = { nowMs: NOW_MS, deadlineMs: 10_000, street: null, isForBooking }
    const word = (await fetchCarrierPrices(deps, account, jobAt(demo, {}), asking)).get('swiftly')
    return word?.kind === 'rates' && [...word.byCode.values()][0]?.quoteId
  }
  assert.deepEqual(await Promise.all([ask(false), ask(false)]), ['dqt_1', 'dqt_1'])
  const booked = await Promise.all([ask(true), ask(true), ask(true)])
  assert.deepEqual(booked.toSorted(), ['dqt_1', 'dqt_2', 'dqt_3'])
  assert.equal(await ask(false), 'dqt_4', 'nobody is shown what is a booking’s')
})

function toDeps(carrier: Carrier) {
  const accounts = { find: () => ({}) } as unknown as AccountDirectory
  return { accounts, carrierOf: () => carrier, log: makeLog('silent') }
}
