import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIllegalSteps, type Step } from './timelines.ts'

const GOOD: readonly Step[] = [
  { deliveryId: 'dlv_1', status: 'created', previous: null },
  { deliveryId: 'dlv_1', status: 'requested', previous: 'created' },
  { deliveryId: 'dlv_1', status: 'booked', previous: 'requested' },
  { deliveryId: 'dlv_1', status: 'booked', previous: 'booked' },
]

test('a timeline that follows the table of statuses is legal, and so is an update without a change', () => {
  assert.deepEqual(findIllegalSteps(GOOD), [])
})

test('findIllegalSteps reports a wrong first step, a step that the table lacks, and a wrong previous status', () => {
  const [created, requested, booked] = GOOD as [Step, Step, Step]
  assert.match(findIllegalSteps([requested])[0] ?? '', /dlv_1 went from null to requested/)
  assert.equal(findIllegalSteps([{ ...requested, previous: null }]).length, 1)
  assert.match(
    findIllegalSteps([created, { ...booked, previous: 'created' }])[0] ?? '',
    /from created to booked/,
  )
  assert.match(
    findIllegalSteps([created, requested, { ...booked, previous: 'on_hold' }])[0] ?? '',
    /as from on_hold/,
  )
})
