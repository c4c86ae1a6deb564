import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import papa from 'papaparse'
import { csvText } from './write-csv.ts'

test('formulas are escaped as text', () => {
  assert.equal(
    csvText([['=1+1', '+61491570156', '-5', '@x', 'plain', -5]]),
    "\uFEFF'=1+1,'+61491570156,'-5,'@x,plain,-5\r\n",
  )
  assert.equal(csvText([['＝1＋1', '＋61', '－5', '＠x', 'a＝b']]), "\uFEFF'＝1＋1,'＋61,'－5,'＠x,a＝b\r\n")
})

test('any text survives a round trip, except the escaping apostrophe', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\r\0]/.test(value))
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const { data: read } = papa.parse<string[]>(csvText(rows), {
        delimiter: ',',
        newline: '\r\n',
        skipEmptyLines: true,
      })
      assert.deepEqual(
        read.map((row) => row.map((value) => value.replace(/^'(?=[=+\-@\t＝＋－＠])/, ''))),
        rows.map((row) => row.map((value) => value.replace(/^'(?=[=+\-@\t＝＋－＠])/, ''))),
      )
    }),
  )
})
