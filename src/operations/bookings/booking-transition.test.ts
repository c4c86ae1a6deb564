import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { retryAtMs, toChange, withinTimeLimit } from './booking-transition.ts'

const intent = {
  attempt: 3,
  key: 'bkg_1',
  provider: 'swiftly',
  option: { carrierName: 'Swiftly' },
  lostPeriod: null,
} as unknown as BookingIntent
const MINUTE_MS = 60_000
const now = { tries: 2, nowMs: 1_000 * MINUTE_MS, random: 0.5 }
const limit = { endsAtMs: 1_000 * MINUTE_MS, minutes: 30 }
const outcome = { message: 'HTTP 502' }
const unknown = { kind: 'unknown', intent, outcome, waitMs: 5_000, settleMs: 60_000 } as const

test('what each transition writes to the delivery and its attempt', () => {
  const refused = { state: 'rejected', message: 'No driver is free.' } as const
  assert.deepEqual(toChange({ kind: 'refused', intent, end: refused }, now), {
    patch: { pending_attempt: null, status_reason: 'Swiftly: No driver is free.' },
    intent: { attempt: 3, state: 'rejected', message: 'No driver is free.' },
  })
  assert.deepEqual(toChange({ ...unknown, asked: false }, now), {
    patch: {
      status_reason: 'Waiting for Swiftly to say whether it accepted the booking.',
      due_at: now.nowMs + 5_000,
      booking_attempts: 3,
    },
    intent: { attempt: 3, state: 'unknown', settleMs: 60_000, message: 'HTTP 502', ifRepeated: undefined },
  })
  const hold = { kind: 'on_hold', reason: 'Nobody could take it.', intent: null, openAttempt: null } as const
  assert.deepEqual(toChange(hold, now), {
    patch: { status: 'on_hold', status_reason: hold.reason, due_at: null, pending_attempt: null },
    intent: null,
  })
  const rechecked = toChange({ ...hold, openAttempt: 3 }, now).patch
  assert.equal(rechecked.pending_attempt, 3)
  assert.ok((rechecked.due_at ?? 0) > now.nowMs, 'an open attempt is rechecked while the delivery is on hold')
})

test('at the time limit a person decides, unless an answer may still come or the outcome is known', () => {
  const rows: [Parameters<typeof withinTimeLimit>[0], string, number | null][] = [
    [{ kind: 'retry', asked: true, waitsFor: null }, 'on_hold', null],
    [{ ...unknown, asked: true }, 'on_hold', 3],
    [{ ...unknown, asked: false }, 'unknown', null],
    [{ kind: 'refused', intent, end: { state: 'void', message: '' } }, 'refused', null],
    [{ kind: 'lease_lost' }, 'lease_lost', null],
  ]
  for (const [transition, kind, openAttempt] of rows) {
    assert.equal(withinTimeLimit(transition, limit, limit.endsAtMs - 1), transition)
    const after = withinTimeLimit(transition, limit, limit.endsAtMs)
    assert.equal(after.kind, kind)
    if (after.kind === 'on_hold') assert.equal(after.openAttempt, openAttempt)
  }
})

test('after a restore, a reason names no key, and a carrier only if it has not answered', () => {
  const restored = { ...intent, lostPeriod: { dueAtMs: null } } as BookingIntent
  const lost = { ...unknown, intent: restored, asked: true }
  const end = { state: 'void', message: 'No carrier has it.' } as const
  assert.equal(
    toChange(lost, now).patch.status_reason,
    'Our records were restored from a backup, so we’re checking whether a carrier already has this order.',
  )
  assert.equal(
    toChange({ kind: 'refused', intent: restored, end }, now).patch.status_reason,
    'No carrier has it.',
  )
  const held = withinTimeLimit(lost, limit, limit.endsAtMs)
  assert.equal(
    held.kind === 'on_hold' && held.reason,
    'Our records were restored from a backup, and Swiftly hasn’t said whether they have this order. We keep asking.',
  )
})

test('a retry waits its backoff, and no longer than the time limit', () => {
  const far = { ...limit, endsAtMs: Number.MAX_SAFE_INTEGER }
  const asked = retryAtMs({ kind: 'retry', asked: true, waitsFor: null }, far, now)
  assert.ok(asked > now.nowMs)
  assert.equal(
    retryAtMs({ kind: 'retry', asked: true, waitsFor: null }, { ...limit, endsAtMs: asked - 1 }, now),
    asked - 1,
  )
})
