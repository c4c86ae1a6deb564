import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeAt } from './yaml-place.ts'

/** `|` is the cursor. */
const at = (text: string) => placeAt(text.replace('|', ''), text.indexOf('|'))

test('the place of the cursor is told by indentation', () => {
  const stores = 'tenant_id: demo\nstores:\n  - reference: perth\n    hours:\n      sat: 09:00-17:00\n'
  for (const [text, expected] of [
    ['|', { kind: 'field', path: [], typed: '' }],
    ['boo|', { kind: 'field', path: [], typed: 'boo' }],
    ['booking:\n  le|', { kind: 'field', path: ['booking'], typed: 'le' }],
    ['booking:\n  order: che|', { kind: 'value', path: ['booking', 'order'], typed: 'che' }],
    [`${stores}    ho|`, { kind: 'field', path: ['stores'], typed: 'ho' }],
    [`${stores}      su|`, { kind: 'field', path: ['stores', 'hours'], typed: 'su' }],
    [`${stores}  - na|`, { kind: 'field', path: ['stores'], typed: 'na' }],
    ['modes:\n  - sto|', { kind: 'field', path: ['modes'], typed: 'sto' }],
    ['modes:\n- sto|', { kind: 'field', path: ['modes'], typed: 'sto' }],
    ['name: "Wat|', null],
    ['# no|', null],
    ['limits: { bur|', null],
  ] as const) {
    assert.deepEqual(at(text), expected, text)
  }
})
