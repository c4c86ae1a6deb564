import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remedyOf } from './remedy.ts'

const proved = (kind: string, photoDoes = true) =>
  ({ verb: 'deliver', body: { proof: { kind } }, photoDoes }) as const
const WRONG = 'That is not the PIN of this delivery. 4 tries left.'
const OTHER_BUSINESS =
  'Ring the store. If the job is for another business, add that business, and we’ll send this again.'
const TOO_OFTEN = 'The PIN was wrong too often. Take a photo or get a signature instead.'

test('a rejected proof says which proof is accepted', () => {
  const cases: [ReturnType<typeof proved>, status: number, message: string, remedy: string][] = [
    [proved('pin'), 422, WRONG, 'Ask for the PIN again, or take a photo or have it signed for.'],
    [proved('pin', false), 422, WRONG, 'Ask for the PIN again, or have it signed for.'],
    [proved('pin'), 422, TOO_OFTEN, 'Take a photo or have it signed for.'],
    [proved('pin', false), 422, TOO_OFTEN, 'Have it signed for.'],
    [
      proved('photo'),
      422,
      'The image is neither a JPEG nor a PNG.',
      'Record the proof again at the door, or ring the store.',
    ],
    [proved('photo'), 404, '', OTHER_BUSINESS],
    [proved('photo'), 409, '', 'Save your photo, and ring the store.'],
    [proved('signature', false), 409, '', 'Ring the store.'],
  ]
  for (const [step, status, message, remedy] of cases) assert.equal(remedyOf(step, status, message), remedy)
  assert.equal(remedyOf({ verb: 'collect', body: {} }, 404, ''), OTHER_BUSINESS)
  assert.equal(remedyOf({ verb: 'collect', body: {} }, 422, ''), null)
  const failed = { verb: 'fail', body: { reason: 'damaged', image: '/9j/' } } as const
  assert.equal(remedyOf(failed, 413, ''), 'Save your photo, and ring the store.')
})
