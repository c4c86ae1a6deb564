import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from './read-csv.ts'

test('cells are read quoted or not, with either line ending', () => {
  assert.deepEqual(readCsv('\uFEFFa,"b ""c"""\r\n,d\n"e\nf",\n'), [
    ['a', 'b "c"'],
    ['', 'd'],
    ['e\nf', ''],
  ])
})

test('nothing is read beyond the rows and cells that are wanted', () => {
  const lines = 'a,b\n'.repeat(100_000)
  assert.equal(readCsv(lines, { rows: 10 }).length, 10)
  assert.equal(readCsv(lines, { cells: 30 }).length, 15)
  assert.equal(readCsv(lines).length, 100_000)
  assert.ok(readCsv(','.repeat(100_000), { cells: 30 }).flat().length <= 31)
})
