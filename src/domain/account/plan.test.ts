import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { planAccount, planText } from './plan.ts'

const demo = parse(readFileSync(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'))

/** The plan from the demo account to a changed copy of it, as people read it. */
function planned(change: (document: typeof demo) => void): string[] {
  const after = structuredClone(demo)
  change(after)
  return planAccount(demo, after).map(planText)
}

test('a first document adds everything it names', () => {
  const lines = planAccount(null, demo).map(planText)
  assert.equal(lines[0], '+ account demo')
  assert.equal(lines.filter((line) => line.startsWith('+ store ')).length, 10)
  assert.ok(lines.includes('+ service big_haul FREIGHT'))
})

test('the same document changes nothing', () => {
  assert.deepEqual(
    planned(() => {}),
    [],
  )
})

test('a change names its object, its field and both values', () => {
  const cases: [(document: typeof demo) => void, string[]][] = [
    [
      (it) => {
        it.name = 'Wattle'
      },
      ['~ account demo: name Wattle & Co demo → Wattle'],
    ],
    [
      (it) => {
        it.stores[1].hours.sun = '10:00-16:00'
      },
      ['~ store fitzroy: hours.sun closed → 10:00-16:00'],
    ],
    [
      (it) => {
        it.stores[1].address.address2 = 'Level 2'
      },
      ['~ store fitzroy: address.address2 + Level 2'],
    ],
    [
      (it) => {
        delete it.brands[0].buffer_minutes
      },
      ['~ brand wattle-and-co: buffer_minutes - 15'],
    ],
    [
      (it) => {
        delete it.delivery_types.fast
      },
      ['- delivery type fast'],
    ],
    [
      (it) => {
        it.carriers[0].services.reverse()
      },
      [
        '~ account demo: order_of_services swiftly NOW and swiftly TODAY and southern_parcels ROAD and southern_parcels AIR and big_haul FREIGHT → swiftly TODAY and swiftly NOW and southern_parcels ROAD and southern_parcels AIR and big_haul FREIGHT',
      ],
    ],
    [
      (it) => {
        it.stores[3].reference = 'geelong'
      },
      ['+ store geelong', '- store parramatta'],
    ],
  ]
  for (const [change, lines] of cases) assert.deepEqual(planned(change), lines)
})

test('the same hours in another spelling are not a change', () => {
  assert.deepEqual(
    planned((it) => {
      it.stores[1].hours = { 'mon-tue': '09:00-17:30', 'wed-sat': ['09:00-17:30'] }
    }),
    [],
  )
})
