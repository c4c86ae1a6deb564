import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { STATES, type State } from '../values.ts'
import { holidayRegions, listHolidays } from './holidays.ts'

/** Date, state and hour → the names that the states' pages use for the day. */
const vectors = new Map(
  readFileSync(new URL('./holidays.vectors.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^20\d\d/.test(line))
    .flatMap((line) => {
      const [when, states, names] = line.split('|').map((cell) => cell.trim())
      const [date, from] = when!.split(/ +/)
      return states!.split(' ').map((state) => [`${date} ${from} ${state}`, names!] as const)
    }),
)

const hour = (minute: number | null) => (minute === null ? '-' : `${minute / 60}:00`)
const dates = (state: State, region: string, name: string) =>
  listHolidays(state, region).flatMap((day) =>
    day.region === region && day.name.includes(name) ? day.date : [],
  )

test('the holidays of 2025 to 2028 are exactly those on the states’ pages', () => {
  const ours = STATES.flatMap((state) => listHolidays(state)).filter(({ date }) => date < '2029')
  const keys = ours.map((day) => `${day.date} ${hour(day.fromMinute)} ${day.state}`)
  assert.ok(vectors.size > 400)
  assert.deepEqual(keys.sort(), [...vectors.keys()].sort())
  for (const day of ours) {
    const names = vectors.get(`${day.date} ${hour(day.fromMinute)} ${day.state}`)
    assert.ok(names!.includes(day.name), `${day.date} ${day.state}: ${day.name}, not ${names}`)
  }
})

test('regional holidays fall on the days their pages list', () => {
  const cases = [
    ['QLD', 'brisbane', 'Royal Queensland Show', '2025-08-13 2026-08-12 2027-08-11 2028-08-16'],
    ['TAS', 'hobart', 'Regatta', '2025-02-10 2026-02-09 2027-02-08 2028-02-14'],
    ['TAS', 'hobart', 'Royal Hobart Show', '2025-10-23 2026-10-22 2027-10-21 2028-10-26'],
    ['TAS', 'launceston', 'Recreation Day', '2025-11-03 2026-11-02 2027-11-01 2028-11-06'],
    ['TAS', 'launceston', 'Royal Launceston Show', '2025-10-09 2026-10-08 2027-10-07 2028-10-12'],
    ['TAS', 'burnie', 'Burnie Show', '2025-10-03 2026-10-02 2027-10-01 2028-10-06'],
    ['TAS', 'flinders_island', 'Show', '2025-10-17 2026-10-16 2027-10-15 2028-10-20'],
    ['TAS', 'king_island', 'Show', '2025-03-04 2026-03-03 2027-03-02 2028-03-07'],
    ['TAS', 'circular_head', 'Agfest', '2025-05-02 2026-05-08 2027-05-07 2028-05-05'],
    ['TAS', 'devonport', 'Devonport Show', '2025-11-28 2026-11-27 2027-11-26 2028-11-24'],
    ['NT', 'alice_springs', 'Show', '2025-07-04 2026-07-03 2027-07-02 2028-07-07'],
    ['NT', 'tennant_creek', 'Show', '2025-07-11 2026-07-10 2027-07-09 2028-07-14'],
    ['NT', 'katherine', 'Show', '2025-07-18 2026-07-17 2027-07-16 2028-07-21'],
    ['NT', 'darwin', 'Show', '2025-07-25 2026-07-24 2027-07-23 2028-07-28'],
    ['NT', 'borroloola', 'Show', '2026-08-21'],
    ['WA', 'port_hedland', "King's Birthday", '2026-08-03'],
  ] as const
  for (const [state, region, name, expected] of cases) {
    const found = dates(state, region, name).filter((date) => date < '2029')
    assert.equal(found.join(' '), expected, `${region}: ${name}`)
  }
  const regions = STATES.flatMap((state) => holidayRegions(state)).sort()
  assert.deepEqual(regions, [...new Set(cases.map(([, region]) => region))].sort())
})

test('a region has its state’s holidays, except one that it swaps', () => {
  const hedland = listHolidays('WA', 'port_hedland').filter(({ name }) => name === "King's Birthday")
  assert.deepEqual(
    hedland.map(({ date }) => date),
    ['2025-09-29', '2026-08-03', '2027-09-27'],
  )
  assert.ok(listHolidays('QLD', 'brisbane').some(({ date }) => date === '2026-12-25'))
  assert.ok(!listHolidays('QLD').some(({ region }) => region !== null))
})

test('bank and public service holidays are not public holidays', () => {
  for (const [state, region, date] of [
    ['TAS', 'hobart', '2026-04-07'],
    ['TAS', 'devonport', '2026-01-07'],
    ['TAS', 'launceston', '2026-02-25'],
    ['NSW', null, '2026-08-03'],
  ] as const) {
    assert.ok(!listHolidays(state, region).some((day) => day.date === date), `${state} ${date}`)
  }
})

test('an unconfirmed holiday says so', () => {
  const kinds = new Map(listHolidays('VIC').map((day) => [day.date, day.kind]))
  assert.equal(kinds.get('2026-09-25'), 'fixed')
  assert.equal(kinds.get('2027-09-24'), 'expected')
  for (const day of STATES.flatMap((state) => listHolidays(state))) {
    if (day.date > '2029') assert.equal(day.kind, 'expected', day.date)
  }
  assert.deepEqual(
    listHolidays('TAS')
      .filter(({ date }) => date > '2030' && date < '2030-05')
      .map(({ date }) => date),
    ['2030-01-01', '2030-01-28', '2030-03-11', '2030-04-19', '2030-04-22', '2030-04-25'],
  )
})
