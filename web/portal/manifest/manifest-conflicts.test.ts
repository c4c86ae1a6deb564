import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '../../shared/api.generated.ts'
import { Problem } from '../../shared/problem.ts'
import { formatConflict, formatOtherManifests, toManifestConflicts } from './manifest-conflicts.ts'

const mistake = {
  field: 'delivery_references[0]',
  issue: 'not_eligible',
  message: 'A is on manifest man_1 already.',
}
const body = {
  code: 'invalid_request' as const,
  errors: [mistake, mistake],
  on_manifests: [
    { manifest_id: 'man_1', delivery_references: ['A'] },
    { manifest_id: 'man_2', delivery_references: ['B'] },
  ],
}
const manifest = {
  id: 'man_1',
  carrier_provider: 'Southern Parcels',
  status: 'submitted',
  counts: { deliveries: 2 },
  external_ref: { order_id: 'SPO1' },
} as Manifest
const unanswered = { ...manifest, external_ref: { order_summary: { number_of_items: 2 } } }

test('deliveries already on a manifest are left out, unless there is another error', () => {
  assert.deepEqual(toManifestConflicts(new Problem(422, body)), [
    { manifestId: 'man_1', references: ['A'] },
    { manifestId: 'man_2', references: ['B'] },
  ])
  assert.equal(toManifestConflicts(new Problem(422, { ...body, errors: [mistake, mistake, mistake] })), null)
  assert.equal(toManifestConflicts(new Problem(422, { errors: [mistake] })), null)
  assert.equal(toManifestConflicts(new Problem(0, {})), null)
})

test('deliveries left out name their manifest, by the carrier’s number once it is known', () => {
  const words = (references: string[], found: Manifest | null) =>
    formatConflict({ manifestId: 'man_1', references }, found, '10:41 am')
  assert.equal(words(['A'], manifest), 'A is on manifest SPO1 for Southern Parcels, created 10:41 am.')
  assert.equal(
    words(['A', 'B'], unanswered),
    'A and B are on a manifest for Southern Parcels, created 10:41 am.',
  )
  assert.equal(words(['A'], null), 'A is on another manifest.')
})

test('the other deliveries name their manifests', () => {
  const draft = { ...manifest, status: 'draft' } as const
  const cases: [Manifest[], string | null][] = [
    [[manifest], 'The other 2 deliveries are on manifest SPO1.'],
    [[manifest, { ...manifest, status: 'refused' }], 'The other 2 deliveries are on manifest SPO1.'],
    [[{ ...manifest, status: 'refused' }], null],
    [[{ ...draft, counts: { ...draft.counts, deliveries: 1 } }], 'The other delivery is on a draft.'],
    [[manifest, draft, draft], 'The other 6 deliveries are on manifest SPO1 and 2 drafts.'],
    [
      [manifest, unanswered, unanswered],
      'The other 6 deliveries are on manifest SPO1 and the manifest for Southern Parcels.',
    ],
    [[], null],
  ]
  for (const [rest, message] of cases) assert.equal(formatOtherManifests(rest), message)
})
