import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '../../shared/api.generated.ts'
import { findManifestProblem } from './manifest-problem.ts'

const manifest = { carrier_provider: 'Big Haul', counts: { deliveries: 2 } } as Manifest

test('a manifest with a problem shows the problem and the remedy', () => {
  const rows: [Partial<Manifest>, { cause: string; remedy: string | null } | null][] = [
    [{ status: 'submitted' }, null],
    [{ status: 'draft' }, null],
    [{ status: 'discarded' }, null],
    [
      {
        status: 'submitting',
        submit_attempt: 'waiting',
        status_reason: 'EPIPE',
        status_remedy: 'Discard it.',
      },
      { cause: 'We couldn’t reach Big Haul.', remedy: 'Discard it.' },
    ],
    [
      { status: 'submitting', submit_attempt: 'unanswered' },
      { cause: 'Big Haul hasn’t answered yet.', remedy: null },
    ],
    [
      { status: 'on_hold', status_reason: 'Big Haul did not answer M1.', status_remedy: 'Ask Big Haul.' },
      { cause: 'Big Haul did not answer M1.', remedy: 'Ask Big Haul.' },
    ],
    [
      { status: 'refused', status_reason: 'NO_RUN.' },
      { cause: 'NO_RUN.', remedy: null },
    ],
    [{ status: 'refused' }, { cause: 'Big Haul refused the manifest.', remedy: null }],
  ]
  for (const [over, problem] of rows) assert.deepEqual(findManifestProblem({ ...manifest, ...over }), problem)
})
