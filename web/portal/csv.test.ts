import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvOf } from './csv.ts'

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
