import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consignment } from '../../../test/sandbox-carriers.ts'
import type { Booking, Carrier, Outcome } from '../../carriers/port/carrier.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { type LookUp, lookUpBooking } from './look-up-booking.ts'

const DOUBTED_MS = Date.parse('2026-11-24T10:00:00Z')
const INTENT = { key: consignment.key, consignment, answeredAtMs: DOUBTED_MS, keyAgeMs: 0 } as BookingIntent
const BOOKING: Booking = { consignmentNumber: 'del_1', articles: [], costCents: 900 }

const KEYS: Carrier['recovery'] = { kind: 'idempotency_key' }
const LOOKED_UP: Carrier['recovery'] = { kind: 'look_up', settleMs: 5_000 }
const MISS: Outcome<null> = { kind: 'yes', value: null }
const HIT: Outcome<Booking> = { kind: 'yes', value: BOOKING }
const SILENCE: Outcome<null> = { kind: 'unknown', message: 'no answer' }

test('a look-up that finds no booking counts only once the last request must have arrived', async () => {
  const cases: [Carrier['recovery'], Outcome<Booking | null>, afterMs: number, LookUp['kind'], string][] = [
    [KEYS, MISS, 59_999, 'too_soon', 'it may be on its way'],
    [KEYS, MISS, 60_000, 'yes', 'nothing is'],
    [KEYS, HIT, 0, 'yes', 'what is there is there'],
    [KEYS, SILENCE, 0, 'unknown', 'no answer is none'],
    // The lookup runs only after the settling time.
    [LOOKED_UP, MISS, 0, 'yes', 'it says itself how long a miss may be early'],
  ]
  for (const [recovery, answer, afterMs, kind, why] of cases) {
    const looked = await lookUpBooking({ recovery, find: async () => answer }, INTENT, DOUBTED_MS + afterMs)
    assert.equal(looked.kind, kind, why)
  }
})

test('a look-up starts at the first request, by the slower of the two clocks', async () => {
  const sinceOf = async (intent: Partial<BookingIntent>) => {
    let since = Number.NaN
    const find = async (_key: string, _asked: unknown, sinceMs: number) => {
      since = sinceMs
      return MISS
    }
    await lookUpBooking({ recovery: KEYS, find }, { ...INTENT, ...intent }, DOUBTED_MS)
    return since
  }
  const longAgo = { ...consignment, askedAtMs: 1_000 }
  assert.equal(await sinceOf({ consignment: longAgo }), 1_000)
  const toCome = { ...consignment, askedAtMs: Number.MAX_SAFE_INTEGER }
  const [beforeMs, since, afterMs] = [
    Date.now(),
    await sinceOf({ consignment: toCome, keyAgeMs: 7_000 }),
    Date.now(),
  ]
  assert.ok(since >= beforeMs - 7_000 && since <= afterMs - 7_000, `${since}`)
})
