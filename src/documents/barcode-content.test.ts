import assert from 'node:assert/strict'
import { test } from 'node:test'
import bwipjs from 'bwip-js'
import fc from 'fast-check'
import { bars, code128, zplCode128 } from './barcode/code128.ts'
import { articleBarcodes, deliveryBarcodes } from './barcode-content.ts'

const madeAtMs = Date.UTC(2026, 10, 23, 23, 42, 7)

test('an article’s barcodes hold its postcode, its id and its time of creation', () => {
  assert.deepEqual(articleBarcodes({ articleId: 'SPA0041830001', postCode: '3011', madeAtMs }), {
    linear: { kind: 'gs1-128', text: '(420)3011(91)SPA0041830001' },
    matrix: { kind: 'gs1-datamatrix', text: '(420)3011(91)SPA0041830001(92)261123234207' },
  })
})

test('an id too long for a line with its postcode is printed alone', () => {
  const articleId = 'A1B2C3D4E5F6G7H8J9K0L'
  const { linear } = articleBarcodes({ articleId, postCode: '0800', madeAtMs })
  assert.deepEqual(linear, { kind: 'code128', text: articleId })
})

test('text that no barcode may contain is rejected', () => {
  const cases = [
    ['', '3011'],
    ['spa1', '3011'],
    ['A(91)B', '3011'],
    ['A'.repeat(31), '3011'],
    ['SPA1', '301'],
    ['SPA1', '3011^XZ'],
  ] as const
  for (const [articleId, postCode] of cases) {
    assert.throws(
      () => articleBarcodes({ articleId, postCode, madeAtMs }),
      RangeError,
      `${articleId} ${postCode}`,
    )
  }
  assert.throws(() => deliveryBarcodes('dlv 1'), RangeError)
})

test('GS1 text passes the syntax check of bwip-js, and our bars are no wider than its', () => {
  for (const articleId of ['SPA0041830001', 'A', '00012345678901234567', 'ABCDEFGHIJKLMNOPQRST']) {
    const { linear } = articleBarcodes({ articleId, postCode: '3011', madeAtMs })
    const [symbol] = bwipjs.raw({ bcid: 'gs1-128', text: linear.text })
    const theirs = symbol && 'sbs' in symbol ? symbol.sbs : []
    const ours = bars(code128('gs1-128', linear.text))
    assert.ok(
      sum(ours) <= sum(theirs),
      `${articleId}: ${sum(ours)} modules where bwip-js takes ${sum(theirs)}`,
    )
  }
})

test('every article id fits a label with bars of 0.25 mm or more', () => {
  const id = fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(id, (articleId) => {
      const { linear } = articleBarcodes({ articleId, postCode: '3011', madeAtMs })
      assert.ok((sum(bars(code128(linear.kind, linear.text))) + 20) * 2 <= 800, linear.text)
    }),
  )
})

test('the printer gets explicit code sets, and its control characters are escaped', () => {
  const cases = [
    ['code128', 'dlv_01', '>:dlv_01'],
    ['code128', 'AB1234', '>:AB>51234'],
    ['code128', '1234A', '>;1234>6A'],
    ['code128', '>^~', '>:>0><>='],
    ['gs1-128', '(420)3011(91)A1', '>;>8420301>61>891A1'],
  ] as const
  for (const [kind, text, zpl] of cases) assert.equal(zplCode128(code128(kind, text)), zpl, text)
})

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0)
}
