import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineDiff } from './line-diff.ts'

const SIGNS = { same: ' ', add: '+', remove: '-' } as const
const shown = (before: string, after: string) =>
  lineDiff(before, after).map((line) =>
    line.kind === 'gap' ? `… ${line.lines}` : `${SIGNS[line.kind]}${line.number} ${line.text}`,
  )

test('changed lines are shown with their context, the rest is counted', () => {
  assert.deepEqual(shown('a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nD\ne\nf\ng'), [
    '… 1',
    ' 2 b',
    ' 3 c',
    '-4 d',
    '+4 D',
    ' 5 e',
    ' 6 f',
    '… 1',
  ])
  assert.deepEqual(shown('a', 'a'), ['… 1'])
  assert.deepEqual(shown('a\nb', 'a\nx\nb'), [' 1 a', '+2 x', ' 3 b'])
})

test('removing the removed lines and adding the added ones turns one text into the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after)
      const removed = lines.filter(({ kind }) => kind === 'remove').length
      const added = lines.filter(({ kind }) => kind === 'add').length
      assert.equal(before.split('\n').length - removed + added, after.split('\n').length)
      for (const line of lines) {
        if (line.kind === 'gap') continue
        const side = line.kind === 'remove' ? before : after
        assert.equal(side.split('\n')[line.number - 1], line.text)
      }
    }),
  )
})
