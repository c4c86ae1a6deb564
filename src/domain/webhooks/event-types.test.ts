import assert from 'node:assert/strict'
import test from 'node:test'
import { TRANSITIONS } from '../delivery/status.ts'
import { applyTrackingUpdates } from '../delivery/tracking-updates.ts'
import { EVENT_TYPES } from './event-types.ts'

const known: readonly string[] = EVENT_TYPES

test('an endpoint can subscribe to the event of every transition', () => {
  for (const type of Object.values(TRANSITIONS).flatMap((edges) => Object.values(edges))) {
    assert.ok(known.includes(type), type)
  }
})

test('an endpoint can subscribe to carrier updates without a status change', () => {
  const delivered = { status: 'delivered', subStatus: null, carrierEventAtMs: 2 } as const
  const late = { eventId: 'e1', atMs: 1, status: 'collected', subStatus: null, message: 'Picked up' } as const
  const [effect] = applyTrackingUpdates(delivered, [late]).effects
  assert.ok(effect && known.includes(effect.type), effect?.type)
})
