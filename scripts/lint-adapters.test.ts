import assert from 'node:assert/strict'
import test from 'node:test'
import { linesIn, lintAdapters } from './lint-adapters.ts'

const parrot = (file: string, text: string) => ({ path: `src/carriers/adapters/parrot/${file}`, text })

test('lines are counted without imports, comments and blanks', () => {
  const text = `import { a } from './a.ts'
import {
  b,
} from './b.ts'

/**
 * Why.
 */
export const c = a + b // said beside it
// why
`
  assert.equal(linesIn(text), 1)
})

test('an adapter has at most 300 lines; tables, schemas, tests and its sandbox do not count', () => {
  const lines = (max: number) => 'a()\n'.repeat(max)
  const fits = [
    parrot('index.ts', lines(200)),
    parrot('parse.ts', lines(100)),
    parrot('schemas.ts', lines(500)),
    parrot('parse.test.ts', lines(500)),
    { path: 'src/carriers/sandbox/sandbox-state.ts', text: lines(500) },
    { path: 'src/carriers/kit/answer.ts', text: lines(500) },
  ]
  assert.deepEqual(lintAdapters(fits), [])
  assert.deepEqual(lintAdapters([...fits, parrot('format.ts', 'a()')]), [
    'src/carriers/adapters/parrot has 301 lines of its own, over 300.',
  ])
})

test('a function does not count as a table', () => {
  const tables = [parrot('tables.ts', 'const A = { a: 1 }\nexport function b() {}\n')]
  assert.deepEqual(lintAdapters(tables), [
    'src/carriers/adapters/parrot/tables.ts: this file may only hold tables; move the function to another file.',
  ])
})
