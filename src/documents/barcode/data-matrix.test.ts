import assert from 'node:assert/strict'
import { test } from 'node:test'
import bwipjs from 'bwip-js'
import { dataMatrix, zplDataMatrix } from './data-matrix.ts'

test('at every size the modules are those that bwip-js draws', () => {
  for (let length = 1; length <= 286; length += 3) {
    const text = '4183000127'.repeat(29).slice(0, length)
    const [symbol] = bwipjs.raw({ bcid: 'datamatrix', text })
    const { size, modules } = dataMatrix({ kind: 'datamatrix', text })
    assert.ok(symbol && 'pixs' in symbol)
    assert.equal(size, symbol.pixx, `${length} digits`)
    assert.deepEqual([...modules], symbol.pixs, `${length} digits`)
  }
})

test('a GS1 matrix is the one that bwip-js draws', () => {
  const text = '(420)3011(91)SPA0041830001(92)261123234207'
  const [symbol] = bwipjs.raw({ bcid: 'gs1datamatrix', text })
  assert.ok(symbol && 'pixs' in symbol)
  assert.deepEqual([...dataMatrix({ kind: 'gs1-datamatrix', text }).modules], symbol.pixs)
})

test('text that a DataMatrix cannot contain is rejected', () => {
  const kind = 'datamatrix'
  assert.throws(() => dataMatrix({ kind, text: 'é' }), RangeError)
  assert.throws(() => dataMatrix({ kind, text: 'A'.repeat(145) }), RangeError)
  assert.throws(() => zplDataMatrix({ kind, text: 'A^XZ' }), RangeError)
})
