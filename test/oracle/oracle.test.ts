import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { test } from 'node:test'
import { exampleAccount } from '../demo-account.ts'
import { seeded } from '../harness/random.ts'
import { instantMs, MINUTE_MS, minutesLater } from './clock.ts'
import { Comparison } from './comparison.ts'
import { DESTINATIONS } from './destinations.ts'
import { LOCAL_HOLIDAYS } from './holidays.ts'
import { LOADS } from './loads.ts'
import { ask, daysOf, homeBy, open } from './questions.ts'
import { ONE_OF_EACH_ZONE, STORES } from './stores.ts'
import { accountOfRegions, accountOpen, NIGHT_TYPES, regionOf } from './variants.ts'

/** Compares `decide` and `checkAvailability` with a slow oracle written from the documents alone. */
const demo = exampleAccount('demo-account')

/** Every cut-off and closing time of the demo, the 15 minutes of buffer before each, and the ends of the day. */
const EDGES = ['12:00', '12:30', '13:00', '15:00', '16:00', '17:00', '17:30']
const TIMES = [
  ...['00:05', '07:59', '08:00', '08:44', '08:46', '10:01', '16:59', '17:01', '20:44', '20:46', '23:50'],
  ...EDGES.flatMap((edge) => [0, 1, -15, -14].map((minutes) => minutesLater(edge, minutes))),
]
const TIMES_A_DAY = 8

test('every store, every day of a year, at opening and closing time', () => {
  const { pick, chance, below } = seeded(20261101)
  const comparison = new Comparison()
  const loads = Object.entries(LOADS)
  let turn = 0
  for (const [store, date] of daysOf(STORES, '2026-11-01', '2027-10-31')) {
    const near = DESTINATIONS.filter(({ state }) => state === store.state)
    for (let n = 0; n < TIMES_A_DAY; n++) {
      const nowMs = instantMs(store.zone, date, TIMES[turn++ % TIMES.length]!) + pick([0, 0, 30_000, 59_999])
      const [name, load] = chance(0.4) ? loads[0]! : pick(loads)
      const changes = {
        ...load,
        mode: chance(0.2) ? ('customer_pickup' as const) : ('store_to_door' as const),
        destination: { ...pick(chance(0.3) ? near : DESTINATIONS), residential: chance(0.7) },
        readyForPickupAtMs: pick([null, nowMs - below(3000) * MINUTE_MS, nowMs + below(15_000) * MINUTE_MS]),
        ignoreBufferTime: chance(0.3),
        carrierReadyMs: new Map(chance(0.1) ? [['swiftly', nowMs + below(600) * MINUTE_MS]] : []),
      }
      comparison.ask(ask(demo, store, nowMs, changes, name))
    }
  }
  report(comparison, 1_000_000)
})

test('every day of 2026 and 2027, with every holiday of every state', () => {
  const comparison = new Comparison()
  for (const [store, date] of daysOf(STORES, '2026-01-01', '2027-12-31')) {
    for (const time of ['00:00', '12:50']) {
      const nowMs = instantMs(store.zone, date, time)
      comparison.ask(ask(demo, store, nowMs, { destination: homeBy(demo, store) }, time))
    }
  }
  report(comparison, 400_000)
})

test('regional holidays close a store of that region; the rest of the state is open', () => {
  const comparison = new Comparison()
  const account = accountOfRegions()
  for (const demoStore of STORES) {
    const region = regionOf(demoStore)
    if (!region) continue
    const store = { ...demoStore, localHolidays: LOCAL_HOLIDAYS[region] }
    for (const [, date] of daysOf([store], '2026-01-01', '2027-12-31')) {
      const nowMs = instantMs(store.zone, date, '00:00')
      comparison.ask(ask(account, store, nowMs, { destination: homeBy(account, store) }, region))
    }
  }
  report(comparison, 60_000)
})

test('daylight-saving changes, minute by minute', () => {
  const { pick } = seeded(20261004)
  const oddClocks = DESTINATIONS.filter(({ postCode }) => ['6000', '2880', '2898'].includes(postCode))
  for (const hours of ['usual', '00:00-24:00', '02:30-24:00', '00:00-02:30']) {
    const isUsual = hours === 'usual'
    const account = isUsual ? demo : accountOpen(hours, { atNight: true })
    const comparison = isUsual ? new Comparison() : new Comparison(NIGHT_TYPES)
    for (const demoStore of ONE_OF_EACH_ZONE) {
      const store = isUsual ? demoStore : open(demoStore, hours)
      const places = [homeBy(demo, store), ...oddClocks]
      for (const night of ['2026-10-04', '2027-04-04', '2027-10-03']) {
        for (let minute = -180; minute <= 240; minute++) {
          const nowMs = instantMs(store.zone, night, '02:00') + minute * MINUTE_MS
          const changes = { destination: pick(places), ignoreBufferTime: true }
          comparison.ask(ask(account, store, nowMs, changes, hours))
        }
      }
    }
    report(comparison, 200_000)
  }
})

test('a part-day holiday closes a store from its start time on', () => {
  const hours = '06:00-23:00'
  const turnsOfTheYear = ['2026', '2027'].flatMap((year) => [
    ...daysOf(STORES, `${year}-12-23`, `${year}-12-31`),
  ])
  for (const pickupEndsMinutesBefore of [0, 30]) {
    const comparison = new Comparison()
    const account = accountOpen(hours, { pickupEndsMinutesBefore })
    for (const [demoStore, date] of turnsOfTheYear) {
      const store = open(demoStore, hours, pickupEndsMinutesBefore)
      for (let minute = 0; minute < 24 * 60; minute += 30) {
        const nowMs = instantMs(store.zone, date, '00:00') + minute * MINUTE_MS
        const changes = { destination: homeBy(account, store), ignoreBufferTime: true }
        comparison.ask(ask(account, store, nowMs, changes, hours))
      }
    }
    report(comparison, 200_000)
  }
})

function report({ count, differences }: Comparison, atLeast: number) {
  console.log(`${count} comparisons, ${differences.length} differences`)
  if (process.env.ORACLE_OUT) appendFileSync(process.env.ORACLE_OUT, `${differences.join('\n')}\n`)
  assert.ok(count >= atLeast, `only ${count} comparisons`)
  assert.deepEqual(differences.slice(0, 20), [])
}
