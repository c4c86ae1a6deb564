import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '../../shared/api.generated.ts'
import { findManifestProblem } from './manifest-problem.ts'

const manifest = { carrier_provider: 'Big Haul', counts: { deliveries: 2 } } as Manifest
const reason = 'Big Haul did not answer. Tell us by settle-submit.'

test('a manifest with a problem shows the problem and the remedy', () => {
  const words = (over: Partial<Manifest>) => {
    const problem = findManifestProblem({ ...manifest, ...over })
    return problem && [problem.cause, problem.remedy]
  }
  assert.equal(words({ status: 'submitted' }), null)
  assert.equal(words({ status: 'draft' }), null)
  assert.deepEqual(words({ status: 'submitting' }), [
    'Big Haul has not answered yet.',
    'Wait: we’re sending it.',
  ])
  assert.deepEqual(words({ status: 'submitting', status_reason: 'It is asked again. EPIPE' }), [
    'It is asked again.',
    'Wait: we’re sending it.',
  ])
  assert.deepEqual(words({ status: 'submitting', submit_attempt: 'waiting' }), [
    'Big Haul has not answered yet.',
    'Nothing was sent. We’ll try again. To use another carrier, discard it.',
  ])
  assert.deepEqual(words({ status: 'submitting', submit_attempt: 'unanswered' }), [
    'Big Haul has not answered yet.',
    'We keep asking. If it is urgent, ask Big Haul whether they have it, then settle it.',
  ])
  assert.equal(words({ status: 'discarded' }), null)
  assert.deepEqual(words({ status: 'on_hold', status_reason: reason }), [
    'Big Haul did not answer.',
    'Ask Big Haul whether they have it, then settle it. Until you do, its deliveries wait.',
  ])
  assert.deepEqual(words({ status: 'refused', status_reason: 'NO_RUN.' }), [
    'NO_RUN.',
    'Its deliveries can go on a manifest again.',
  ])
  assert.deepEqual(words({ status: 'refused', counts: { ...manifest.counts, deliveries: 0 } }), [
    'Big Haul said no.',
    null,
  ])
})
