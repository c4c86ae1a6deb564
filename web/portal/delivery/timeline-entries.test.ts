import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryEvent } from '../../shared/api.generated.ts'
import { markOf } from './timeline-entries.ts'

const at = '2026-11-24T01:00:00.000Z'

test('a late or repeated tracking event is marked as such', () => {
  for (const [updates, wanted] of [
    [{}, null],
    [{ received_at: '2026-11-24T01:04:59.000Z' }, null],
    [{ received_at: '2026-11-24T01:14:10.000Z' }, 'received 14 min later'],
    [{ received_at: '2026-11-24T01:00:02.000Z', duplicate: true }, 'sent twice'],
    [{ received_at: '2026-11-24T02:30:00.000Z', duplicate: true }, 'sent twice, received 1 h 30 min later'],
  ] as const) {
    assert.equal(markOf({ at, ...updates } as DeliveryEvent), wanted)
  }
})
