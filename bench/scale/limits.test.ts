import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { limitsOf, needAt, type Scale, scaleBlock, table, withBlock } from './limits.ts'

const NOTHING = { due: 0, leased: 0, messages: 0, events: 0, dead_lettered: 0 }
const SCALE: Scale = {
  at: '2026-11-28T00:00:00.000Z',
  machine: '2 cores',
  size: { deliveries: 30_000, accounts: 1_000 },
  bytes: { deliveries: 4_000, events: 6_000 },
  reads: [{ name: 'get by id', p50Ms: 2, maxMs: 9 }],
  idle: { startMs: 900, memoryMb: 110, postgresMsPerSecond: 4 },
  hour: {
    seconds: 100,
    answers: [{ name: 'create', offered: 420, refused: 2, p50Ms: 5, p99Ms: 12 }],
    deliveries: 418,
    statementsADelivery: 25,
    walBytesADelivery: 50_000,
    productCores: 0.1,
    postgresCores: null,
    leftBehind: { ...NOTHING, due: 3 },
  },
}

test('a hundred times the deliveries need a hundred times the cores and log, from the creates that were answered', () => {
  const played = { ...SCALE.hour, deliveries: 420 }
  const need = needAt(10_080_000, { bytes: SCALE.bytes, hour: played })
  assert.equal(need.perSecond, 420)
  assert.ok(Math.abs((need.productCores as number) - 10) < 1e-9)
  assert.equal(need.walMbPerSecond, 21)
})

test('disk is the bytes of every table over 400 days', () => {
  assert.equal(needAt(1_000_000, SCALE).diskTb, 4)
})

test('what the system does not report is not estimated either', () => {
  assert.equal(needAt(1_000_000, SCALE).postgresCores, null)
  assert.match(scaleBlock(SCALE), /\| 1,000,000 \| 42 \| 2 \| – \|/)
})

test('the table says what was refused and left behind, and which figures are only estimated', () => {
  const limits = limitsOf(SCALE)
  assert.equal(
    limits.find(({ limit }) => limit === 'a hundredth of the busiest hour')?.figure,
    '2 refused, 3 left behind of 418 deliveries',
  )
  const scaledUp = limits.filter(({ limit }) => limit.includes('a day'))
  assert.ok(scaledUp.length >= 3)
  assert.ok(scaledUp.every(({ source }) => source === 'estimated'))
})

test('tables have a row for each line and columns in the order of their headings', () => {
  assert.equal(table(['a', 'b'], [['1', '2']]), '| a | b |\n|---|---|\n| 1 | 2 |')
})

test('a document keeps its own words around the block, and one without markers is refused', () => {
  const document = 'before\n<!-- scale: begin -->\nold\n<!-- scale: end -->\nafter\n'
  const written = withBlock(document, 'new')
  assert.equal(written, 'before\n<!-- scale: begin -->\n\nnew\n\n<!-- scale: end -->\nafter\n')
  assert.equal(withBlock(written, 'new'), written)
  assert.throws(() => withBlock('before\nafter\n', 'new'), /lacks/)
})

test('docs/operations/scale.md shows the last written figures (if not: npm run scale -- --write)', () => {
  const document = readFileSync(new URL('../../docs/operations/scale.md', import.meta.url), 'utf8')
  const figures = JSON.parse(readFileSync(new URL('figures.json', import.meta.url), 'utf8')) as Scale
  assert.equal(document, withBlock(document, scaleBlock(figures)))
})
