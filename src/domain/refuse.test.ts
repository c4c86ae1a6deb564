import assert from 'node:assert/strict'
import test from 'node:test'
import type { Issue } from './errors.ts'
import { summariseIssues } from './refuse.ts'

test('one mistake is one sentence; of several, the first three are named and the rest counted', () => {
  const issue = (field: string): Issue => ({ field, issue: 'required', message: `${field} is required.` })
  const some = (count: number) =>
    Array.from({ length: count }, (_, index) => issue(`parcels[${index}].weight_kg`))
  assert.equal(summariseIssues([issue('reference')]), 'reference is required.')
  assert.equal(
    summariseIssues([issue('reference'), issue('parcels')]),
    '2 mistakes: reference is required. parcels is required.',
  )
  assert.equal(
    summariseIssues(some(5)),
    '5 mistakes: parcels[0].weight_kg is required. parcels[1].weight_kg is required. parcels[2].weight_kg is required. And 2 more.',
  )
  assert.match(summariseIssues(some(100)), /^100 mistakes and perhaps more: .* And 97 more\.$/)
})
