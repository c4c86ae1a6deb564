import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJsonInSteps } from './parse-json-in-steps.ts'

function parse(text: string, piece?: number): { value: unknown; steps: number } {
  const parsing = parseJsonInSteps(text, piece)
  for (let steps = 0; ; steps++) {
    const { done, value } = parsing.next()
    if (done) return { value, steps }
  }
}

/** The result of both for a text: the same value with its keys in the same order, or an error. */
function outcomeOf(work: () => unknown): string {
  try {
    return JSON.stringify(work())
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return 'not JSON'
  }
}

/**
 * A key with an escape in it. JSON.parse of V8 13.6 (Node 24.21) is no reference for these: after
 * `{"b\\\\":1}` it reads `{"b\\n":1}` with the first text's key.
 */
function hasEscapedKey(text: string): boolean {
  const strings = text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)
  return [...strings].some(([, string, colon]) => colon !== undefined && string?.includes('\\'))
}

const piece = fc.integer({ min: 0, max: 12 })
const json = fc.json({ maxDepth: 5 }).map((text) => JSON.parse(text))

test('parses a text in steps to the same value as JSON.parse', () => {
  fc.assert(
    fc.property(json, piece, fc.constantFrom(0, 2), (value, size, indent) => {
      const text = JSON.stringify(value, null, indent)
      fc.pre(!hasEscapedKey(text))
      assert.equal(
        outcomeOf(() => parse(text, size).value),
        outcomeOf(() => JSON.parse(text)),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('rejects a mutated text exactly when JSON.parse does', () => {
  const mistake = fc.record({
    at: fc.nat(),
    remove: fc.integer({ min: 0, max: 2 }),
    insert: fc.string({ unit: fc.constantFrom(...'[]{},:"\\ 1n\n'), maxLength: 2 }),
  })
  fc.assert(
    fc.property(json, mistake, piece, (value, { at, remove, insert }, size) => {
      const text = JSON.stringify(value)
      const from = at % (text.length + 1)
      const wrong = text.slice(0, from) + insert + text.slice(from + remove)
      fc.pre(!hasEscapedKey(wrong))
      assert.equal(
        outcomeOf(() => parse(wrong, size).value),
        outcomeOf(() => JSON.parse(wrong)),
      )
    }),
    { numRuns: 20_000 },
  )
})

test('a key with escapes is read as it is written', () => {
  const keys = ['"\\\\"', '"a\\n"', '"\\u0041\\""', '"\\/b\\t"']
  const text = `{${keys.map((key, i) => `${key}:${i}`).join(',')}}`
  for (let size = 0; size <= text.length; size++) {
    assert.deepEqual(Object.keys(parse(text, size).value as object), ['\\', 'a\n', 'A"', '/b\t'])
  }
})

test('a key such as __proto__ is a member like any other', () => {
  const text = '{"a":[1,2,3,4,5,6],"__proto__":{"b":[1,2,3]},"c":{"__proto__":1}}'
  const { value } = parse(text, 4)
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal(JSON.stringify(value), text)
})

test('parses 4 MB in more than fifty steps, even if one member is that long', () => {
  const list = JSON.stringify(
    Array.from({ length: 60_000 }, (_, id) => ({ id, status: 'In transit to the depot, on a truck' })),
  )
  for (const text of [list, `{"result":{"items":${list},"more":null}}`]) {
    const { value, steps } = parse(text)
    assert.ok(steps > 50, `${steps} steps for ${text.length} characters`)
    assert.equal(JSON.stringify(value), text)
  }
})
