import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lintStructure } from './lint-structure.ts'

const TERMS = [
  'Circuit breaker',
  'Dead letter',
  'Backoff',
  'Load shedding',
  'Backpressure',
  'Fencing token',
  'Orphaned booking',
  'Single-flight',
  'Batching',
  'Bulkhead',
  'Quarantine of poison rows',
  'Reconciliation',
  'Transactional outbox',
  'Admission queue',
  'Rate limit',
]
const named = TERMS.map((term, at) => ({
  path: `src/store/${at}/a.ts`,
  text: `import './b.ts'\n\n/**\n * ${term}: why.\n */\n`,
}))
const nothing = () => false

test('a pattern whose first doc comment does not name it is reported', () => {
  assert.deepEqual(lintStructure(named, '', nothing), [])
  const [, ...others] = named
  const late = { path: 'src/store/late.ts', text: '/** What it does. */\n/** Circuit breaker: why. */\n' }
  assert.deepEqual(lintStructure([...others, late], '', nothing), [
    'No file of src opens its first doc comment with "circuit breaker": engineers search for it.',
  ])
})

test('a folder holds at most 20 source files, src itself three', () => {
  const many = (folder: string, count: number, end = '.ts') =>
    Array.from({ length: count }, (_, at) => ({ path: `${folder}/f${at}${end}`, text: '' }))
  assert.deepEqual(lintStructure([...named, ...many('src/http', 20), ...many('src', 3)], '', nothing), [])
  assert.deepEqual(lintStructure([...named, ...many('src/http', 30, '.test.ts')], '', nothing), [])
  assert.deepEqual(lintStructure([...named, ...many('src/http', 21), ...many('src', 4)], '', nothing), [
    'src/http has 21 source files, over 20: split it by subject.',
    'src has 4 source files, over 3: split it by subject.',
  ])
})

test('a rule of delivery whose file does not name its word is reported', () => {
  const file = { path: 'src/work/a.ts', text: '/** Authority to\n * leave. */\n' }
  const glossary = (term: string) =>
    `## Words\n\n| x | y | \`work/a.ts\` |\n\n## Rules of delivery\n\n| ${term} | why | \`work/a.ts\` |\n\n## More\n`
  const lint = (term: string) => lintStructure([...named, file], glossary(term), () => true)
  assert.deepEqual(lint('authority to leave'), [])
  assert.deepEqual(lint('authority to leave, safe drop'), [
    'src/work/a.ts doesn\'t name "safe drop", the word that docs/glossary.md gives its rule.',
  ])
})

test('references to documents and files that do not exist are reported', () => {
  const cites = { path: 'src/work/a.ts', text: '// As docs/decisions/0003.md says.\n' }
  const exists = (path: string) => path === 'docs/decisions/0003.md' || path === 'src/work/runner.ts'
  assert.deepEqual(lintStructure([...named, cites], '| a | b | `work/runner.ts` `work/gone.ts` |', exists), [
    'docs/glossary.md names work/gone.ts, which does not exist.',
  ])
  const wrong = { path: 'src/work/a.ts', text: '/** By rules.md. */\n' }
  assert.deepEqual(lintStructure([...named, wrong], '', exists), [
    'src/work/a.ts names rules.md, which is not in the repository: write the rule out.',
  ])
})
