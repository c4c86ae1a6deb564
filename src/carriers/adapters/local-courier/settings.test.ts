import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { CourierMailPort } from '../../port/adapter.ts'
import { LOCAL_COURIER } from './index.ts'

const mailPort: CourierMailPort = {
  book: async (email) => ({ kind: 'unknown', message: `booked ${email}` }),
  submit: async (email) => ({ kind: 'unknown', message: `submitted ${email}` }),
  callOff: async (email) => ({ kind: 'unknown', message: `called off ${email}` }),
}

function courier(settings: Record<string, unknown>) {
  const send = async () => ({ kind: 'not_sent', message: '' }) as const
  return LOCAL_COURIER.make({ send, credentials: {}, settings, mailPort, wallMs: () => 0 })
}

test('bookings and manifests go to the configured addresses; only couriers that accept it get cancellations by email', async () => {
  const plain = courier({ email: 'jobs@bob.example' })
  assert.deepEqual(await plain.book(consignment), { kind: 'unknown', message: 'booked jobs@bob.example' })
  assert.equal(plain.cancel, undefined)
  const order = { key: 'man_1', group: 'BOB', dangerousGoods: false, refs: [] }
  const withMail = courier({ email: 'a@bob.example', manifest_email: 'b@bob.example', cancel_by_email: true })
  assert.deepEqual(await withMail.manifest!.submit(order), {
    kind: 'unknown',
    message: 'submitted b@bob.example',
  })
  assert.deepEqual(await withMail.cancel!('LC1'), { kind: 'unknown', message: 'called off a@bob.example' })
})

test('without an address no booking is emailed', async () => {
  for (const settings of [{}, { email: 'nope' }, { email: 5 }]) {
    const outcome = await courier(settings).book(consignment)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, 'later')
  }
})
