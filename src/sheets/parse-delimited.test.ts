import assert from 'node:assert/strict'
import test from 'node:test'
import { guessDelimiter, parseDelimited } from './parse-delimited.ts'

const rowsOf = (text: string, delimiter = ',') => parseDelimited(text, delimiter, 100).rows

test('quoted cells, spaces after them and every kind of line break are read', () => {
  const cases: [text: string, rows: string[][]][] = [
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\r\n,b\r\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a\rb', [['a'], ['b']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"a, ""b""\nc",d', [['a, "b"\nc', 'd']]],
    ['"a"  ,"b" \n"c" ', [['a', 'b'], ['c']]],
    ['2" pipe,b"', [['2" pipe', 'b"']]],
    ['"",""', [['', '']]],
    ['', []],
  ]
  for (const [text, rows] of cases) assert.deepEqual(rowsOf(text), rows, text)
  for (const delimiter of [';', '\t', '|', ']', '^', '\\', '-'])
    assert.deepEqual(rowsOf(`a${delimiter}"b"${delimiter}c`, delimiter), [['a', 'b', 'c']], delimiter)
  assert.deepEqual(parseDelimited('a\nb\nc', ',', 2).rows, [['a'], ['b']])
})

test('the row of the first cell with an unclosed quotation mark is returned', () => {
  assert.equal(parseDelimited('a\n"b"c,d\n"e', ',', 100).badQuoteRow, 1)
  assert.equal(parseDelimited('a\n"b', ',', 100).badQuoteRow, 1)
  assert.equal(parseDelimited('a\n"b"', ',', 100).badQuoteRow, null)
})

test('the delimiter that splits the rows evenly is guessed', () => {
  const guess = (text: string) => guessDelimiter(text, [',', ';', '\t', '|'])
  assert.equal(guess('kind;zone;price\nrate;"a,b";9,50\n'), ';')
  assert.equal(guess('"a"\t"b,c"\n1\t2\n'), '\t')
  assert.equal(guess('one\ntwo\n'), ',')
})
