import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlace } from './courier-page.ts'

test('couriers’ pages isolate an Arabic or Chinese name from the street number', () => {
  const party = {
    company: null,
    phone: '+61491570110',
    address: '7/12 Kerr St',
    address2: null,
    city: 'Fitzroy',
    state: 'VIC',
    postCode: '3065',
  }
  for (const name of ['محمد', '陳曉曄', 'A & <B>']) {
    const html = toPlace({ ...party, name } as unknown as Parameters<typeof toPlace>[0])
    const shown = name.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    assert.equal(
      html,
      [shown, '7/12 Kerr St', 'Fitzroy VIC 3065', '+61491570110']
        .map((part) => `<bdi>${part}</bdi>`)
        .join(', '),
    )
  }
})
