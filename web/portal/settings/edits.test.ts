import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { planAccount } from '../../../src/domain/account/plan.ts'
import {
  addEdit,
  dropOrphans,
  type Edit,
  type Json,
  listClashes,
  type Place,
  rebaseEdits,
  valueAt,
  withEdits,
} from './edits.ts'

const demo: Json = parse(readFileSync('examples/demo-account.yaml', 'utf8'))
const perth = { key: 'reference', is: 'perth-cbd' }

const KEYS = ['reference', 'provider', 'service', 'name']

/** Every place of a document at which a form could stand. */
function listPlaces(value: unknown, place: Place = []): Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => {
      const key = KEYS.find((name) => typeof one?.[name] === 'string')
      return key ? listPlaces(one, [...place, { key, is: one[key] }]) : []
    })
  }
  if (typeof value !== 'object' || value === null) return [place]
  return [place, ...Object.entries(value).flatMap(([name, inner]) => listPlaces(inner, [...place, name]))]
}

test('a form loses no field: one value changes, and changed back the document is the same, byte for byte', () => {
  // The key of an entry is its name: no form edits it in place.
  const places = listPlaces(demo).filter((place) => {
    const last = place.at(-1)
    return typeof last === 'string' && !KEYS.includes(last)
  })
  assert.ok(places.length > 300)
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.json(), (place, text) => {
      const value = JSON.parse(text)
      const edits = addEdit(demo, [], { place, value })
      const edited = withEdits(demo, edits)
      assert.deepEqual(valueAt(edited, place), value)
      const before = valueAt(demo, place)
      assert.deepEqual(addEdit(demo, edits, { place, value: before }), [])
      const back = withEdits(edited, [{ place, value: before }])
      assert.equal(JSON.stringify(back), JSON.stringify(demo))
    }),
    { numRuns: 2_000 },
  )
})

test('an entry is added, changed and taken away by its key', () => {
  const store = { reference: 'geelong', name: 'Geelong' }
  const place = ['stores', { key: 'reference', is: 'geelong' }]
  let edits = addEdit(demo, [], { place, value: store })
  edits = addEdit(demo, edits, { place: [...place, 'name'], value: 'Geelong West' })
  assert.deepEqual(valueAt(withEdits(demo, edits), place), { reference: 'geelong', name: 'Geelong West' })
  assert.deepEqual(addEdit(demo, edits, { place, value: undefined }), [], 'a new entry that is removed again')
  const removed = addEdit(demo, [], { place: ['stores', perth], value: undefined })
  assert.equal((withEdits(demo, removed).stores as unknown[]).length, (demo.stores as unknown[]).length - 1)
})

test('of two people’s edits only those at the same place clash', () => {
  const hours: Edit = { place: ['stores', perth, 'hours'], value: { mon: '09:00-12:00' } }
  const phone: Edit = { place: ['stores', perth, 'phone'], value: '+61855500199' }
  const theirs = withEdits(demo, [{ place: ['stores', perth, 'hours'], value: { mon: 'closed' } }])
  assert.deepEqual(listClashes(demo, theirs, [hours, phone]), [hours])
  const both = withEdits(theirs, [phone])
  assert.deepEqual(valueAt(both, ['stores', perth, 'hours']), { mon: 'closed' })
  assert.equal(valueAt(both, phone.place), '+61855500199')
})

test('edits of a store or carrier that somebody else removed are dropped, and the others stay', () => {
  const [carrier] = demo.carriers as { provider: string; services: { service: string }[] }[]
  assert.ok(carrier?.services[0])
  const inCarrier: Place = ['carriers', { key: 'provider', is: carrier.provider }]
  const service: Place = [...inCarrier, 'services', { key: 'service', is: carrier.services[0].service }]
  const newStore: Place = ['stores', { key: 'reference', is: 'geelong' }]
  const kept: Edit[] = [
    { place: newStore, value: { ...(valueAt(demo, ['stores', perth]) as object), reference: 'geelong' } },
    { place: [...newStore, 'name'], value: 'Geelong West' },
    { place: ['name'], value: 'Another name' },
    { place: ['stores', perth], value: undefined },
  ]
  const dropped: Edit[] = [
    { place: ['stores', perth, 'phone'], value: '+61855500199' },
    { place: ['stores', perth, 'hours'], value: { mon: 'closed' } },
    { place: service, value: carrier.services[0] },
    { place: [...service, 'active'], value: false },
  ]
  const theirs = withEdits(demo, [
    { place: ['stores', perth], value: undefined },
    { place: inCarrier, value: undefined },
  ])
  const rebased = dropOrphans(theirs, [...dropped, ...kept])
  assert.deepEqual(rebased, kept)
  assert.deepEqual(dropOrphans(demo, dropped), dropped, 'nothing was removed')
  type Document = Parameters<typeof planAccount>[1]
  const plan = planAccount(theirs as Document, withEdits(theirs, rebased) as Document)
  assert.deepEqual(
    plan.map(({ action, kind }) => `${action} ${kind}`),
    ['change account', 'add store'],
  )
})

test('changes that the other version already has are not changes any more, and clash with nothing', () => {
  const name: Edit = { place: ['stores', perth, 'name'], value: 'Perth' }
  const phone: Edit = { place: ['stores', perth, 'phone'], value: '+61855500199' }
  const applied = withEdits(demo, [name])
  assert.deepEqual(rebaseEdits(demo, applied, [name]), { edits: [], dropped: 0, clashes: 0 })
  assert.deepEqual(rebaseEdits(demo, applied, [name, phone]), { edits: [phone], dropped: 0, clashes: 0 })
  const labels: Edit[] = [
    { place: ['stores', perth, 'labels'], value: {} },
    { place: ['stores', perth, 'labels', 'printer'], value: 'Front' },
  ]
  assert.deepEqual(rebaseEdits(demo, withEdits(demo, labels), labels).edits, [])
  const other = withEdits(demo, [{ ...name, value: 'Perth West' }])
  assert.deepEqual(rebaseEdits(demo, other, [name]), { edits: [name], dropped: 0, clashes: 1 })
})
