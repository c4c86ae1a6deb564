import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Link } from '../../shared/api.generated.ts'
import { type LinkState, linkState } from './link-state.ts'

const made: Omit<Link, 'id'> = {
  status: 'open',
  store_id: 'sto_1',
  store_reference: 'fitzroy',
  reference: 'CC-1',
  created_at: '2026-11-24T10:00:00+11:00',
  messages: [
    { kind: 'sms', status: 'sent', sent_at: '2026-11-24T10:01:00+11:00' },
    { kind: 'email', status: 'failed', reason: 'No such mailbox.' },
  ],
}
const sms = (status: Link['messages'][number]['status'], reason?: string): Partial<Link> => ({
  messages: [{ kind: 'sms', status, ...(reason && { reason }) }],
})

test('a link shows its latest state', () => {
  const at = (minute: number) => `2026-11-24T10:0${minute}:00+11:00`
  const cases: [Partial<Link>, LinkState][] = [
    [{}, { word: 'Sent', at: at(1) }],
    [{ messages: [] }, { word: 'Created' }],
    [sms('queued'), { word: 'Being sent' }],
    [sms('queued', 'The gateway was busy.'), { word: 'Being sent', why: 'The gateway was busy.' }],
    [sms('no_channel', 'No gateway is set.'), { word: 'Not sent', why: 'No gateway is set.' }],
    [sms('failed', 'No such number.'), { word: 'Not sent', wrong: true, why: 'No such number.' }],
    [{ opened_at: at(2) }, { word: 'Opened', at: at(2) }],
    [
      { ...sms('failed'), opened_at: at(2) },
      { word: 'Opened', at: at(2) },
    ],
    [{ status: 'locked', opened_at: at(2) }, { word: 'Locked after five wrong order numbers' }],
    [
      { status: 'expired', expires_at: at(3) },
      { word: 'Expired', at: at(3) },
    ],
    [
      { status: 'revoked', revoked_at: at(3) },
      { word: 'Revoked', at: at(3) },
    ],
    [
      { status: 'booked', opened_at: at(2), booked_at: at(4) },
      { word: 'Booked', at: at(4) },
    ],
    [
      { status: 'expired', expires_at: at(5), booked_at: at(4) },
      { word: 'Booked', at: at(4) },
    ],
  ]
  for (const [what, state] of cases) assert.deepEqual(linkState({ ...made, ...what }), state)
})
