import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from './manifest.ts'
import { findStatusRemedy } from './status-remedy.ts'

test('the remedy of a manifest fits its state and its submission', () => {
  const rows: [Partial<Manifest>, RegExp | null][] = [
    [{ state: 'draft' }, null],
    [{ state: 'submitted' }, null],
    [{ state: 'discarded' }, null],
    [{ state: 'submitting', isLeased: true }, /^Wait/],
    [{ state: 'submitting' }, /^Nothing was sent/],
    [
      { state: 'submitting', submissionState: 'unknown' },
      /ask Big Haul whether they have it, then record their answer\.$/,
    ],
    [{ state: 'on_hold' }, /^Ask Big Haul whether they have it, then record their answer\./],
    [{ state: 'refused', deliveries: 2 }, /on another manifest\.$/],
    [{ state: 'refused', deliveries: 0 }, null],
  ]
  const manifest = { carrierName: 'Big Haul', submissionState: null, isLeased: false, deliveries: 2 }
  for (const [over, remedy] of rows) {
    const actual = findStatusRemedy({ ...manifest, ...over } as Manifest)
    if (remedy === null) assert.equal(actual, null)
    else assert.match(actual ?? '', remedy)
  }
})
