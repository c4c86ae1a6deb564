import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import {
  type HoursByKey,
  toHoursByDayAsWritten,
  toRangesAsWritten,
} from '../../../src/domain/account/hours-by-day.ts'
import { validateAccount } from '../../../src/domain/account/validation/validate.ts'
import { listHolidays } from '../../../src/domain/calendar/holidays.ts'
import { PRODUCT_TYPES, STATES, ZONES } from '../../../src/domain/values.ts'
import type { CarrierJson } from './carriers/carrier-queries.ts'
import { addEdit, type Edit, type Json, type Place, valueAt, withEdits } from './edits.ts'
import {
  changeDay,
  changeOpeningHours,
  hasOnePricePerKg,
  listLimitsToStore,
  type Opening,
} from './form-edits.ts'
import { type Accepted, acceptedAt, withAccepted } from './goods/accepted-goods.ts'
import { isOpenOn, nextHolidays, withHoliday } from './holidays/open-holidays.ts'
import { type LabelsJson, withLabels } from './stores/store-labels.ts'
import { isByZone, toEachZone, toOneNumber } from './zone-days.ts'

const demo: Json = parse(readFileSync('examples/demo-account.yaml', 'utf8'))

const entry = (list: string, key: string, is: string, ...rest: Place): Place => [list, { key, is }, ...rest]
const perth = (...rest: string[]) => entry('stores', 'reference', 'perth-cbd', ...rest)
const brand = (...rest: string[]) => entry('brands', 'reference', 'wattle-and-co', ...rest)
const service = (...rest: string[]): Place => [
  ...entry('carriers', 'provider', 'swiftly', 'services'),
  { key: 'service', is: 'NOW' },
  ...rest,
]
const PNG_LOGO = 'data:image/png;base64,iVBORw0KGgo='

const minutes = fc.integer({ min: 0, max: 600 })
const hours = fc.constantFrom('09:00-17:00', ['09:00-12:00', '13:00-17:00'], 'closed')
const states = fc.uniqueArray(fc.constantFrom(...STATES), { minLength: 1 })
const accepted: fc.Arbitrary<Accepted> = fc.oneof(
  fc.constant('all' as const),
  fc.constant('nowhere' as const),
  states,
)
const days = fc.oneof(
  fc.integer({ min: 0, max: 9 }),
  fc.record(Object.fromEntries(ZONES.map((zone) => [zone, fc.integer({ min: 0, max: 9 })]))),
)
const holidays = nextHolidays(listHolidays('WA'), '2026-11-24')
const openDays = fc.subarray(holidays.flatMap(({ name, date }) => [name, date]))
const goods = fc.oneof(
  fc.subarray([...PRODUCT_TYPES]),
  fc.dictionary(fc.constantFrom(...PRODUCT_TYPES), fc.oneof(fc.constant('all'), states)),
)
const boxes = fc.uniqueArray(
  fc.record(
    {
      name: fc.constantFrom('Shoe box', 'Wine', 'Small', 'Large'),
      type: fc.constantFrom('carton', 'satchel'),
      length_cm: fc.integer({ min: 1, max: 100 }),
      width_cm: fc.integer({ min: 1, max: 100 }),
      height_cm: fc.integer({ min: 1, max: 100 }),
      weight_kg: fc.integer({ min: 1, max: 20 }),
    },
    { requiredKeys: ['name', 'length_cm', 'width_cm', 'height_cm'] },
  ),
  { selector: ({ name }) => name },
)

/** Fields of the forms with values that a document may have there; `undefined`: the field is absent. */
const FIELDS: readonly (readonly [Place, fc.Arbitrary<unknown>])[] = [
  [brand('name'), fc.constantFrom('Wattle', 'W & Co')],
  [brand('colour'), fc.constantFrom(undefined, '#204060', '#FFC71F')],
  [brand('logo'), fc.constantFrom(undefined, PNG_LOGO)],
  [brand('buffer_minutes'), fc.option(minutes, { nil: undefined })],
  [perth('name'), fc.constantFrom(undefined, 'Perth')],
  [perth('hours', 'sat'), hours],
  [perth('open_on_holidays'), fc.oneof(fc.constantFrom(undefined, true, false), openDays)],
  [perth('closures'), fc.constantFrom(undefined, [], [{ from: '2026-12-24', reason: 'Stocktake' }])],
  [
    perth('openings'),
    fc.constantFrom(
      undefined,
      [],
      [{ from: '2026-12-13', hours: '10:00-16:00' }],
      [{ from: '2026-12-12', to: '2026-12-13', hours: ['10:00-12:00', '13:00-16:00'], reason: 'Gifts' }],
    ),
  ],
  [
    perth('labels'),
    fc.constantFrom(
      undefined,
      { format: 'pdf' },
      { format: 'zpl', printer: 'Zebra by the packing bench' },
      { printer: 'Front counter' },
    ),
  ],
  [perth('processing_minutes'), fc.option(minutes, { nil: undefined })],
  [['delivery_types', 'express', 'timing', 'on_day', 'days'], days],
  [['delivery_types', 'express', 'enabled'], fc.constantFrom(undefined, true, false)],
  [service('limits', 'product_types'), fc.oneof(fc.constant(undefined), goods)],
  [service('price', 'base_cents'), fc.integer({ min: 0, max: 5_000 })],
  [['usual_boxes'], fc.oneof(fc.constant(undefined), boxes)],
  [['booking', 'lead_minutes'], fc.option(minutes, { nil: undefined })],
  [['booking', 'order'], fc.constantFrom('cheapest', 'fastest', { preferred: ['swiftly'] })],
  [['capabilities', 'click_and_deliver'], fc.constantFrom(undefined, true, false)],
  [['pricing', 'markup_percent'], fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined })],
  [['retention', 'delivery_days'], fc.option(fc.integer({ min: 30, max: 900 }), { nil: undefined })],
]

/** Valid documents: the demo with some of its fields changed, added or taken away. */
const documents: fc.Arbitrary<Json> = fc
  .tuple(...FIELDS.map(([, values]) => fc.option(values, { nil: null })))
  .map((values) => {
    const edits = values.flatMap((value, index): Edit[] =>
      value === null ? [] : [{ place: FIELDS[index]![0], value }],
    )
    return JSON.parse(JSON.stringify(withEdits(demo, edits)))
  })

/** What a form does with a document: the edit of one choice, as its component makes it. */
type Choice = (inUse: Json, document: Json) => Edit
const productTypes = service('limits', 'product_types')
const openAt = perth('open_on_holidays')
const labelsAt = perth('labels')
const daysAt: Place = ['delivery_types', 'express', 'timing', 'on_day', 'days']

const accept =
  (kind: string, next: Accepted): Choice =>
  (inUse, document) => ({
    place: productTypes,
    value: withAccepted(valueAt(document, productTypes), kind, next, valueAt(inUse, productTypes)),
  })
const open =
  (index: number, isOpen: boolean): Choice =>
  (_, document) => {
    const known = valueAt(document, openAt)
    return { place: openAt, value: withHoliday(Array.isArray(known) ? known : [], holidays[index]!, isOpen) }
  }

test('the generated documents are valid', () => {
  fc.assert(
    fc.property(documents, (document) => {
      assert.deepEqual(validateAccount(document), [])
    }),
    { numRuns: 50 },
  )
})

test('a form that is opened and saved without a change gives the same document, byte for byte', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const before = JSON.stringify(document)
      const edits = FIELDS.reduce<Edit[]>(
        (known, [place]) => addEdit(document, known, { place, value: valueAt(document, place) }),
        [],
      )
      // Each form chooses again what it shows.
      const types = valueAt(document, productTypes)
      for (const kind of PRODUCT_TYPES) {
        const value = withAccepted(types, kind, acceptedAt(types, kind), types)
        edits.push(...addEdit(document, [], { place: productTypes, value }))
      }
      const labels = valueAt(document, labelsAt) as LabelsJson | undefined
      const { format = 'pdf', printer = '' } = labels ?? {}
      for (const change of [{ format }, { printer }])
        edits.push(...addEdit(document, [], { place: labelsAt, value: withLabels(labels, change, labels) }))
      const days = valueAt(document, daysAt)
      const shown = isByZone(days) ? toEachZone(days) : toOneNumber(days)
      edits.push(...addEdit(document, [], { place: daysAt, value: shown }))
      assert.deepEqual(edits, [])
      assert.equal(JSON.stringify(withEdits(document, edits)), before)
      assert.equal(JSON.stringify(document), before, 'no form changes what it reads')
    }),
    { numRuns: 300 },
  )
})

test('changing a field changes only that field, and changing it back leaves no change', () => {
  const fields = fc
    .constantFrom(...FIELDS)
    .chain(([place, values]) => fc.record({ place: fc.constant(place), value: values }))
  fc.assert(
    fc.property(documents, fields, (document, edit) => {
      const edits = addEdit(document, [], edit)
      const edited = withEdits(document, edits)
      const masked = (one: Json) => JSON.stringify(withEdits(one, [{ place: edit.place, value: 'masked' }]))
      if (valueAt(document, edit.place) !== undefined && edit.value !== undefined)
        assert.equal(masked(edited), masked(document))
      const back = { place: edit.place, value: valueAt(document, edit.place) }
      assert.deepEqual(addEdit(document, edits, back), [])
      // What a field does not reach stays as it is.
      const [top] = edit.place
      for (const name of Object.keys(document)) {
        if (name !== top) assert.equal(edited[name], document[name])
      }
    }),
    { numRuns: 500 },
  )
})

test('restricted goods that are accepted and refused again are no change', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...PRODUCT_TYPES), accepted, (document, kind, next) => {
      const first = acceptedAt(valueAt(document, productTypes), kind)
      const there = addEdit(document, [], accept(kind, next)(document, document))
      const edited = withEdits(document, there)
      assert.deepEqual(acceptedAt(valueAt(edited, productTypes), kind), next)
      for (const other of PRODUCT_TYPES) {
        if (other === kind) continue
        assert.deepEqual(
          acceptedAt(valueAt(edited, productTypes), other),
          acceptedAt(valueAt(document, productTypes), other),
        )
      }
      assert.deepEqual(addEdit(document, there, accept(kind, first)(document, edited)), [])
    }),
    { numRuns: 500 },
  )
})

test('a holiday on which a store opens is named for every year, and others stay', () => {
  fc.assert(
    fc.property(documents, fc.nat({ max: holidays.length - 1 }), (document, index) => {
      const edited = withEdits(document, addEdit(document, [], open(index, true)(document, document)))
      const listed = valueAt(edited, openAt) as string[]
      assert.ok(listed.includes(holidays[index]!.name))
      const before = valueAt(document, openAt)
      for (const holiday of holidays.toSpliced(index, 1))
        assert.equal(isOpenOn(listed, holiday), Array.isArray(before) && isOpenOn(before, holiday))
      const closed = open(index, false)(document, edited).value as string[]
      assert.equal(isOpenOn(closed, holidays[index]!), false)
    }),
    { numRuns: 300 },
  )
})

test('labels that are changed and changed back are no change; without a field there is no setting', () => {
  const zebra = { format: 'zpl', printer: 'Zebra' }
  for (const inUse of [undefined, {}, { format: 'pdf' }, zebra, { printer: 'Zebra' }]) {
    const other = inUse?.format === 'zpl' ? 'pdf' : 'zpl'
    const there = withLabels(inUse, { format: other, printer: 'Front' }, inUse)
    const back = { format: inUse?.format ?? 'pdf', printer: inUse?.printer ?? '' }
    assert.deepEqual(withLabels(there, back, inUse), inUse)
  }
  assert.equal(withLabels(zebra, { format: 'pdf', printer: '' }, zebra), undefined)
  assert.deepEqual(withLabels(zebra, { format: 'pdf' }, zebra), { printer: 'Zebra' })
})

test('days by zone begin with the days of before', () => {
  assert.deepEqual(toEachZone(3), { same_metro: 3, same_state: 3, interstate_capital: 3, rest: 3 })
  assert.equal(toOneNumber({ same_metro: 1, same_state: 2, interstate_capital: 3, rest: 6 }), 6)
  assert.deepEqual(withAccepted(['alcohol'], 'tobacco', ['VIC'], undefined), {
    alcohol: 'all',
    tobacco: ['VIC'],
  })
})

test('the price per kilogram keeps its field while it is cleared or is not a number yet', () => {
  const price = service('price')
  const perKg = service('price', 'weight', 'cents_per_kg')
  const inUse = withEdits(demo, [{ place: service('price', 'weight'), value: { cents_per_kg: 90 } }])
  for (const value of [90, undefined, '$8.9'])
    assert.ok(hasOnePricePerKg([withEdits(inUse, [{ place: perKg, value }]), inUse], price), String(value))
  const byZone = withEdits(inUse, [{ place: perKg, value: toEachZone(90) }])
  assert.ok(!hasOnePricePerKg([byZone, byZone], price))
  const without = withEdits(demo, [{ place: service('price', 'weight'), value: undefined }])
  assert.ok(!hasOnePricePerKg([without, without], price))
})

test('a second range keeps its place while its opening time is typed, though it opens at 1 am for a moment', () => {
  const typed = ['01:00-17:00', '14:00-17:00']
  const inUse = { mon: ['09:00-12:00', '13:00-17:00'] }
  const week = typed.reduce<HoursByKey>(
    (hours, range) => changeDay(hours, inUse, 'mon', toHoursByDayAsWritten(hours).mon.with(1, range)),
    inUse,
  )
  assert.deepEqual(week, { mon: ['09:00-12:00', '14:00-17:00'] })
  const openings = typed.reduce<readonly Opening[]>(
    (list, range) => changeOpeningHours(list, 0, toRangesAsWritten(list[0]!.hours).with(1, range)),
    [{ from: '2026-12-13', hours: inUse.mon }],
  )
  assert.deepEqual(openings, [{ from: '2026-12-13', hours: ['09:00-12:00', '14:00-17:00'] }])
})

test('a removed store is taken out of the limits of carriers and of services', () => {
  const carriers = demo.carriers as readonly CarrierJson[]
  const [{ provider, services }] = carriers as [CarrierJson]
  const carrier = entry('carriers', 'provider', provider)
  const first: Place = [...carrier, 'services', { key: 'service', is: services[0]!.service }]
  const limited = withEdits(demo, [
    { place: [...carrier, 'limits', 'stores'], value: ['perth-cbd', 'hobart-cbd'] },
    { place: [...first, 'limits', 'stores'], value: ['perth-cbd'] },
  ])
  const found = listLimitsToStore(limited.carriers as readonly CarrierJson[], 'perth-cbd')
  assert.deepEqual(
    found.map(({ place, others }) => [place, others]),
    [
      [[...carrier, 'limits', 'stores'], ['hobart-cbd']],
      [[...first, 'limits', 'stores'], []],
    ],
  )
  assert.deepEqual(listLimitsToStore(carriers, 'perth-cbd'), [])
})
