import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Delivery } from '../shared/api.generated.ts'
import { csvOf } from './csv.ts'
import { cellsOf } from './deliveries/export-csv.ts'
import type { Portal } from './portal.ts'

test('cells that a spreadsheet would run are escaped, other text is unchanged', () => {
  for (const [value, written] of [
    ['Ruth', 'Ruth'],
    ['=1+1', "'=1+1"],
    ['+61 4', "'+61 4"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['＝1＋1', "'＝1＋1"],
    ['＋61', "'＋61"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
  ] as const) {
    assert.equal(csvOf([[value]]), `${written}\r\n`)
  }
  assert.equal(csvOf([[-1, null, undefined]]), '-1,,\r\n')
})

test('an id that a spreadsheet would take for a number or a date stays text', () => {
  for (const [id, written] of [
    ['WC-10471', 'WC-10471'],
    ['00471', '"=""00471"""'],
    ['123456789012345678', '"=""123456789012345678"""'],
    ['3-4', '"=""3-4"""'],
    ['Mar-1', '"=""Mar-1"""'],
    ['12E5', '"=""12E5"""'],
    ['=1+1', "'=1+1"],
    ['1"&cmd()&"', '"1""&cmd()&"""'],
  ] as const) {
    assert.equal(csvOf([[{ id }]]), `${written}\r\n`)
  }
})

test('references, postcodes and consignment numbers of exported deliveries stay text', () => {
  const store = { id: 'sto_1', time_zone: 'Australia/Darwin' } as Portal['store']
  const lineOf = (over: Partial<Delivery>) => {
    const delivery = {
      address: { state: 'NT', city: 'Darwin', post_code: '0800' },
      store_id: store.id,
      ...over,
    }
    return csvOf([cellsOf(delivery as Delivery, { stores: [store], store, nowMs: () => 0 })])
  }
  assert.equal(
    lineOf({ reference: '3-4', consignment_number: '123456789012345678' }),
    '"=""3-4""",,,Darwin,"=""0800""",,,"=""123456789012345678""",,,,,\r\n',
  )
  assert.equal(lineOf({ reference: 'WC-10471' }), 'WC-10471,,,Darwin,"=""0800""",,,,,,,,\r\n')
})

test('every text can be read back from its cell, except for the escape before a formula', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
      const line = csvOf([[text]]).slice(0, -2)
      const read = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line
      assert.equal(
        read.replace(/^'(?=[=+\-@\t\r\0＝＋－＠])/, ''),
        text.replace(/^'(?=[=+\-@\t\r\0＝＋－＠])/, ''),
      )
      assert.doesNotMatch(line.replace(/^"/, ''), /^[=+\-@\t\r\0]/)
    }),
  )
})
