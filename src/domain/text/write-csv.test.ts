import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
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
      const read: string[][] = parse(csvText(rows), {
        bom: true,
        record_delimiter: '\r\n',
        relax_column_count: true,
      })
      assert.deepEqual(
        read.map((row) => row.map((value) => value.replace(/^'(?=[=+\-@\t＝＋－＠])/, ''))),
        rows.map((row) => row.map((value) => value.replace(/^'(?=[=+\-@\t＝＋－＠])/, ''))),
      )
    }),
  )
})
