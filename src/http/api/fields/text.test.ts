import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { makeCheck } from '../../input/validate.ts'
import { emailText, lineText, referenceText } from './text.ts'

/** The rules before they were rewritten to work in Go and Python too. */
const ONE_LINE = '[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069]'
const RULES: [name: string, schema: z.ZodType, rule: RegExp][] = [
  ['a reference', referenceText(), new RegExp(`^(?!\\s)${ONE_LINE}*(?<!\\s)$`, 'u')],
  ['a line', lineText(100), new RegExp(`^(?=.*\\S)${ONE_LINE}*$`, 'u')],
  ['an email address', emailText, /^[^\s@\p{Cc}]{1,64}@(?:[^\s@.\p{Cc}]{1,63}\.){1,8}[^\s@.\p{Cc}]{2,63}$/u],
]

/** Each character that some class treats specially, and some that no class does. */
const ODD = [
  '\0',
  '\t',
  '\n',
  '\r',
  '\x1f',
  ' ',
  '\x7f',
  '\x85',
  '\xa0',
  '\u1680',
  '\u2000',
  '\u200a',
  '\u200b',
]
const ODDER = [
  '\u2027',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u202f',
  '\u205f',
  '\u2066',
  '\u2069',
  '\u206a',
]
const PLAIN = ['\u3000', '\ufeff', 'a', 'é', '家', '😀', '@', '.', "'", '-']
const piece = fc.constantFrom(...ODD, ...ODDER, ...PLAIN)

test('patterns without look-around and properties accept the same texts as their rules', () => {
  for (const [name, schema, rule] of RULES) {
    const check = makeCheck(z.strictObject({ text: schema }))
    const near = fc.array(
      fc.oneof({ weight: 3, arbitrary: fc.constant('ab') }, { weight: 1, arbitrary: piece }),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    const address = fc.tuple(near, near, near).map(([a, b, c]) => `${a.join('')}@${b.join('')}.${c.join('')}`)
    fc.assert(
      fc.property(
        fc.oneof(
          near.map((parts) => parts.join('')),
          address,
        ),
        (text) => {
          assert.equal(check({ text }).length === 0, rule.test(text), `${name} ${JSON.stringify(text)}`)
        },
      ),
      { numRuns: 3_000 },
    )
  }
})
