import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import { timestamp } from '../../../test/requests.ts'
import { resolveAllocation } from './resolve-allocation.ts'

const demo = exampleAccount('demo-account')
const destination = { lat: -37.81, lng: 144.96 }
const all = { destination, storeIds: null, storeReferences: null, readyForPickupAt: null }
const context = { sight: () => true, nowMs: TUESDAY_TEN }

function candidates(changes: Partial<Parameters<typeof resolveAllocation>[1]>): string[] {
  const resolved = resolveAllocation(demo, { ...all, ...changes }, context)
  assert.ok('candidates' in resolved)
  return resolved.candidates.map(({ reference }) => reference)
}

function issues(changes: Partial<Parameters<typeof resolveAllocation>[1]>) {
  const resolved = resolveAllocation(demo, { ...all, ...changes }, context)
  return 'issues' in resolved ? resolved.issues : []
}

test('candidates are those named, each once, or all stores', () => {
  assert.equal(candidates({}).length, demo.stores.length)
  assert.deepEqual(candidates({ storeReferences: ['fitzroy', 'perth-cbd', 'fitzroy'] }), [
    'fitzroy',
    'perth-cbd',
  ])
  assert.deepEqual(candidates({ storeIds: ['sto_fitzroy'] }), ['fitzroy'])
})

test('ids win over references, as for a single store', () => {
  assert.deepEqual(candidates({ storeIds: ['sto_fitzroy'], storeReferences: ['perth-cbd'] }), ['fitzroy'])
})

test('every unknown candidate is named with its index', () => {
  assert.deepEqual(
    issues({ storeReferences: ['fitzroi', 'fitzroy', 'nowhere'] }).map(({ field, issue }) => [field, issue]),
    [
      ['store_references[0]', 'unknown_store'],
      ['store_references[2]', 'unknown_store'],
    ],
  )
  const [issue] = issues({ storeReferences: ['fitzroi'] })
  assert.match(issue!.message, /no store "fitzroi".*Did you mean "?fitzroy/)
  const [byId] = issues({ storeIds: ['sto_nowhere', 'sto_fitzroy'] })
  assert.deepEqual(
    [byId!.field, byId!.message],
    ['store_ids[0]', 'There is no store with the id "sto_nowhere".'],
  )
  const many = Array.from({ length: 5_000 }, (_, index) => `no-${index}`)
  const listed = issues({ storeReferences: many })
  assert.equal(listed.length, 100, 'enough to mend the list by')
  assert.deepEqual(listed.at(-1), {
    field: 'store_references[99]',
    issue: 'unknown_store',
    message: 'There is no store "no-99".',
  })
})

test('a time outside the calendar is reported together with unknown candidates', () => {
  const message = issues({
    storeIds: ['sto_nowhere'],
    readyForPickupAt: timestamp('2031-01-05T10:00:00+11:00'),
  })
  assert.deepEqual(
    message.map(({ field, issue }) => [field, issue]),
    [
      ['ready_for_pickup_at', 'out_of_range'],
      ['store_ids[0]', 'unknown_store'],
    ],
  )
})
