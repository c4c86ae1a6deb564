import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { cleanText, invisibleIn, type TextClass } from './text-class.ts'

test('text for machines loses invisible characters and surrounding blanks', () => {
  const cases: [text: string, textClass: TextClass, clean: string][] = [
    ['\u202A0491 570 156\u202C', 'phone', '0491 570 156'],
    ['\u200E+61 491 570 156\uFE0F', 'phone', '+61 491 570 156'],
    ['ada\u200B@example.com\u00A0', 'email', 'ada@example.com'],
    ['\uFEFF3053 ', 'code', '3053'],
    [' Victoria\u200B', 'state', 'VIC'],
    ['au-nsw', 'state', 'NSW'],
    ['N.S.W.', 'state', 'NSW'],
    ['new  south wales', 'state', 'NSW'],
    ['Narnia', 'state', 'Narnia'],
  ]
  for (const [text, textClass, clean] of cases) {
    assert.equal(cleanText(text, textClass), clean, JSON.stringify(text))
    assert.equal(invisibleIn(clean, textClass), null)
  }
})

test('text for people keeps joiners of letters and emoji, and no other invisible characters', () => {
  const unchanged = [
    'Zoë O’Brien',
    'क्‍ष',
    'می‌خواهم',
    '👩🏽‍💻 at home',
    '❤️',
    '1️⃣',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    '葛󠄀城',
    '؀١',
    'two\nlines',
  ]
  for (const text of unchanged) assert.equal(invisibleIn(text, 'lines'), null, text)
  const refused: [text: string, character: string, position: number][] = [
    ['\u200BAda', 'U+200B', 1],
    ['A\u00ADda', 'U+00AD', 2],
    ['Ada\u200E', 'U+200E', 4],
    ['a\u200Db', 'U+200D', 2],
    ['👩‍', 'U+200D', 2],
    ['👍\uFEFF', 'U+FEFF', 2],
    ['a\uFE0F', 'U+FE0F', 2],
    ['a\u{E0067}', 'U+E0067', 2],
  ]
  for (const [text, character, position] of refused)
    for (const textClass of ['line', 'lines', 'reference'] as const)
      assert.deepEqual(invisibleIn(text, textClass), { character, position }, JSON.stringify(text))
})

test('a reference has no invisible characters', () => {
  assert.deepEqual(invisibleIn('SR-1\u200B', 'reference'), { character: 'U+200B', position: 5 })
  assert.deepEqual(invisibleIn('❤\uFE0F', 'reference'), { character: 'U+FE0F', position: 2 })
  assert.equal(invisibleIn('Café-1', 'reference'), null)
})

test('a reference has no blanks at its ends', () => {
  const refused: [text: string, character: string, position: number][] = [
    ['A1\u00A0', 'U+00A0', 3],
    ['👍1\u3000\u00A0', 'U+3000', 3],
    ['\u2003A1 ', 'U+2003', 1],
    [' A1', 'U+0020', 1],
    ['A1\t', 'U+0009', 3],
  ]
  for (const [text, character, position] of refused) {
    assert.deepEqual(invisibleIn(text, 'reference'), { character, position }, JSON.stringify(text))
    assert.equal(invisibleIn(text, 'line'), null, 'a name may have them')
  }
  for (const text of ['A 1', 'A\u00A01', '  ', ''])
    assert.equal(invisibleIn(text, 'reference'), null, JSON.stringify(text))
})

test('cleaned text is clean for any input', () => {
  const odd = fc.constantFrom('\u200B', '\u202A', '\uFE0F', '\uFEFF', '\u00A0', 'a', '0', '@', '👩', '\u200D')
  fc.assert(
    fc.property(fc.string({ unit: odd }), (text) => {
      const clean = cleanText(text, 'email')
      assert.equal(cleanText(clean, 'email'), clean)
      assert.doesNotMatch(clean, /\p{Cf}|\uFE0F|^\s|\s$/u)
    }),
  )
})
